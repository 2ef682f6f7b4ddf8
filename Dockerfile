# Packages come from package-lock.json and run no install scripts.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The build needs only one development package; all of them would triple the download.
RUN node -p 'const { overrides, devDependencies: { rolldown }, ...rest } = require("./package.json"); JSON.stringify({ ...rest, devDependencies: { rolldown } })' > build.json && mv build.json package.json
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY rolldown.config.ts ./
COPY src src
COPY sandbox sandbox
# The image contains only the bot, not the sandbox.
RUN npm run build && rm -r dist/sandbox
# Files that cannot be bundled: the native code that draws pictures, and its fonts.
RUN mkdir runtime && cp -r --parents node_modules/@resvg node_modules/dejavu-fonts-ttf/package.json node_modules/dejavu-fonts-ttf/LICENSE node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf node_modules/dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf runtime/

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
LABEL org.opencontainers.image.title="Hostler" \
  org.opencontainers.image.description="A Slack bot for managing a team's hosting account" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="0.1.0"
# In production, missing settings are an error and do not open the sandbox.
# Health and metrics have a separate listener, so that load on PORT cannot fail the health check.
ENV NODE_ENV=production DATABASE_URL=/data/hostler.db PORT=3000 HOSTLER_METRICS_PORT=9464
WORKDIR /app
COPY --from=build /app/runtime/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json manifest.yml LICENSE ./
# The only folder that is written; everything else may be mounted read-only. 1000 is the image's user, node.
RUN mkdir --mode=0700 /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000 9464
# Checks that the bot is alive, not that it is ready: an outage of Slack must not restart the container.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HOSTLER_METRICS_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node gets the signal, finishes running work and exits with 0.
STOPSIGNAL SIGTERM
# V8 would use and keep up to 100 MB for short-lived objects; with less memory it only collects them more often.
ENTRYPOINT ["node", "--max-semi-space-size=16", "dist/main.js"]
CMD ["start"]
