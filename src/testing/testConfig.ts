import type { Config } from '#kernel/server/config/config.ts';
import { OUTSIDE_PORTS } from '#kernel/server/outside/ports.ts';

/** Configuration of test applications: embedded database, disk storage, captcha and SMS answered with `8888`. */
export const testConfig = (dataDir: string): Config => ({
  mode: 'test',
  host: '127.0.0.1',
  port: 0,
  dataDir,
  databaseUrl: null,
  databaseReadUrl: null,
  redisUrl: null,
  s3: null,
  masterKey: null,
  adminPassword: null,
  demoPassword: 'Kangqiao#2026',
  sms: null,
  ocr: null,
  pay: { wechat: null, alipay: null },
  simulated: OUTSIDE_PORTS,
  realName: null,
  tencentIm: null,
  prefixes: { admin: '/admin', gateway: '/gateway', product: '/product', intranet: '/intranet' },
  productRewrite: null,
  trustedProxies: [],
  publicOrigin: 'https://q.kangqiao.test',
  appOpenUrl: 'https://app.kangqiao.test/open',
  ice: null,
  clockStart: null,
  metricsToken: null,
  // Tests call as fast as they can.
  callsPerSecond: 100_000,
  captchaAnswer: '8888',
});

/** Fixed, so that a cloned template can be read by every test. */
export const TEST_MASTER_KEY = Buffer.alloc(32, 7);
