# Three stages: npm, its cache and what builds the dashboard stay in the first two.
FROM node:24-slim AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json sdk/
COPY dashboard/package.json dashboard/
RUN npm ci --ignore-scripts --workspace=dashboard
COPY dashboard dashboard
RUN npm run build --workspace=dashboard

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY cli/package.json cli/
COPY sdk/package.json sdk/
# Scripts run here because PostgreSQL's libraries are linked by one, and later users may not write to /app.
RUN npm ci --omit=dev --ignore-scripts=false --workspace=server --workspace=cli
COPY LICENSE NOTICE ./
COPY server server
COPY cli cli
COPY sdk sdk
COPY --from=dashboard /app/dashboard/dist dashboard/dist

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production WAYPOST_HOST=0.0.0.0 WAYPOST_DATA_DIR=/data WAYPOST_DRAIN_SECONDS=5
COPY --from=build /app /app
# A volume that is mounted on one of them takes over its owner.
RUN install -d -o node -g node -m 700 /data /data/index /data/exports
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.WAYPOST_PORT || 8080}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "cli/bin/waypost.js"]
CMD ["serve"]
