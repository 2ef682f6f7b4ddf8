# What is installed is what package-lock.json says, and runs no script of its own.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Of the packages for development the build needs one; all of them are three times as much to download.
RUN node -p 'const { overrides, devDependencies: { rolldown }, ...rest } = require("./package.json"); JSON.stringify({ ...rest, devDependencies: { rolldown } })' > build.json && mv build.json package.json
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY rolldown.config.ts ./
COPY src src
COPY sandbox sandbox
# The bot alone: the sandbox is no part of the image.
RUN npm run build && rm -r dist/sandbox
# The bundle needs two things that no bundle can hold: native code that draws pictures, and the fonts in them.
RUN mkdir runtime && cp -r --parents node_modules/@resvg node_modules/dejavu-fonts-ttf/package.json node_modules/dejavu-fonts-ttf/LICENSE node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf node_modules/dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf runtime/

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
LABEL org.opencontainers.image.title="Hostler" \
  org.opencontainers.image.description="A Slack bot for managing a team's hosting account" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="0.1.0"
# Production never opens the sandbox: settings that are missing are a problem.
# Health and metrics have a listener of their own: whatever reaches PORT, the container is not ended for it.
ENV NODE_ENV=production DATABASE_URL=/data/hostler.db PORT=3000 HOSTLER_METRICS_PORT=9464
WORKDIR /app
COPY --from=build /app/runtime/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json manifest.yml LICENSE ./
# The one place that is written; everything else may be mounted read-only. 1000 is the image's own user, node.
RUN mkdir --mode=0700 /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000 9464
# Alive, not ready: a Slack that is away is no reason to start the container again.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HOSTLER_METRICS_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is the process that gets the signal: it finishes what is under way and ends with 0.
STOPSIGNAL SIGTERM
# V8 would take up to 100 MB for what lives a moment, and keep them; with less it only looks through them more often.
ENTRYPOINT ["node", "--max-semi-space-size=16", "dist/main.js"]
CMD ["start"]
