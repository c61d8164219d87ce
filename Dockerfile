FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN node scripts/build.ts
USER node
CMD ["node", "scripts/serve.ts"]
