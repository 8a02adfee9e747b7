# The server in an image: docker compose up. docs/install.md says how to begin.
ARG NODE_VERSION=22

FROM node:${NODE_VERSION}-trixie AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run package -- /tmp
RUN npm install --global --prefix /app --allow-scripts=sqlite3 /tmp/assistant-*.tgz

# Node alone: neither npm nor a compiler.
FROM debian:trixie-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libstdc++6 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin assistant \
  && install --directory --owner=assistant --group=assistant --mode=0700 /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app

# Configuration and data. Nothing else is written, so the root file system may be read-only, with a tmpfs on /tmp.
ENV NODE_ENV=production \
  PATH=/app/bin:$PATH \
  ASSISTANT_CONFIG=/data/config.yaml \
  ASSISTANT_SERVER_HOST=0.0.0.0 \
  ASSISTANT_SERVER_PORT=8080
WORKDIR /data
VOLUME /data
USER 10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.ASSISTANT_SERVER_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/lib/node_modules/assistant/bin/assistant.js"]
CMD ["serve"]
