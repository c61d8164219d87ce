FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN node scripts/build.ts
USER node
# The flags of scripts/launch/nodeFlags.json, as npm start reads them.
CMD ["node", "--heap-growing-percent=60", "--max-semi-space-size=16", "scripts/serve.ts"]
