# What is installed is what package-lock.json says, without what only development needs, and runs no script of its own.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
# Production never opens the sandbox: settings that are missing are a problem.
ENV NODE_ENV=production DATABASE_URL=/data/hostler.db PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json manifest.yml LICENSE ./
COPY src src
# The one place that is written; everything else may be mounted read-only. 1000 is the image's own user, node.
RUN mkdir --mode=0700 /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000
# Alive, not ready: a Slack that is away is no reason to start the container again.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is the process that gets the signal: it finishes what is under way and ends with 0.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "src/main.ts"]
CMD ["start"]
