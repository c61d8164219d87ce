FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN node scripts/build.ts
USER node
# The flag stands in scripts/launch/nodeFlags.json, which npm start reads.
CMD ["node", "--heap-growing-percent=100", "scripts/serve.ts"]
