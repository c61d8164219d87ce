import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './readConfig.ts';

const key = randomBytes(32).toString('base64');
const s3 = { S3_ENDPOINT: 'http://127.0.0.1:4568', S3_REGION: 'cn', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' };

describe('readConfig', () => {
  it('has defaults for everything', () => {
    expect(readConfig({})).toEqual({
      mode: 'demo',
      host: '127.0.0.1',
      port: 8080,
      dataDir: path.resolve('data'),
      databaseUrl: null,
      databaseReadUrl: null,
      redisUrl: null,
      s3: null,
      masterKey: null,
      adminPassword: null,
      demoPassword: 'Kangqiao#2026',
      sms: null,
      ice: null,
      realName: null,
      tencentIm: null,
      ocr: null,
      pay: { wechat: null, alipay: null },
      simulated: ['BANK', 'TAX', 'OMS', 'LOGISTICS'],
      prefixes: { admin: '/admin', gateway: '/gateway', product: '/product', intranet: '/intranet' },
      productRewrite: null,
      trustedProxies: [],
      publicOrigin: null,
      appOpenUrl: 'https://www.kangqiao.com/open',
      clockStart: null,
      metricsToken: null,
      callsPerSecond: 50,
      captchaAnswer: null,
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['mode test for other machines', { KANGQIAO_MODE: 'test', HOST: '0.0.0.0' }, 'HOST must be 127.0.0.1 in mode test'],
    ['a short token of the metrics', { KANGQIAO_METRICS_TOKEN: 'short' }, 'KANGQIAO_METRICS_TOKEN must have'],
    ['no calls at all', { KANGQIAO_CALLS_PER_SECOND: '0' }, 'KANGQIAO_CALLS_PER_SECOND must be'],
    ['an address of the app without TLS', { KANGQIAO_APP_OPEN_URL: 'http://app.example.cn/open' }, 'KANGQIAO_APP_OPEN_URL must be'],
    ['a port that is no number', { PORT: '80a' }, 'PORT must be'],
    ['a port that is too high', { PORT: '70000' }, 'PORT must be'],
    ['an unknown mode', { KANGQIAO_MODE: 'prod' }, 'KANGQIAO_MODE must be one of demo, production, test'],
    ['a misspelt variable', { KANGQIAO_DATADIR: 'x' }, 'KANGQIAO_DATADIR is not a variable'],
    ['another database', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address beginning with postgres://'],
    ['a replica without a primary', { DATABASE_READ_URL: 'postgres://x/y' }, 'DATABASE_READ_URL names a replica'],
    ['a Redis address without protocol', { REDIS_URL: 'localhost:6379' }, 'REDIS_URL must be'],
    ['a short key', { KANGQIAO_KEY: 'c2hvcnQ=' }, 'KANGQIAO_KEY must be 32 bytes'],
    [
      'production on a shared database without key',
      { KANGQIAO_MODE: 'production', DATABASE_URL: 'postgres://x/y' },
      'KANGQIAO_KEY is required',
    ],
    ['production without its address', { KANGQIAO_MODE: 'production' }, 'KANGQIAO_PUBLIC_ORIGIN is required in production'],
    ['a fixed captcha in production', { KANGQIAO_MODE: 'production', KANGQIAO_CAPTCHA_ANSWER: 'aaaa' }, 'refused in production'],
    ['a clock in production', { KANGQIAO_MODE: 'production', KANGQIAO_CLOCK: '2026-11-21T02:00:00.000Z' }, 'KANGQIAO_CLOCK begins'],
    ['a clock that shows no time', { KANGQIAO_MODE: 'test', KANGQIAO_CLOCK: 'yesterday' }, 'KANGQIAO_CLOCK must be'],
    ['a captcha answer that no field takes', { KANGQIAO_CAPTCHA_ANSWER: 'abc' }, '4 to 8 letters or digits'],
    ['half an object store', { S3_ENDPOINT: 'http://x' }, 'S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY must be set too'],
    ['an object store at no address', { ...s3, S3_ENDPOINT: 'minio' }, 'S3_ENDPOINT must be'],
    ['half an SMS provider', { SMS_URL: 'https://sms' }, 'SMS_KEY must be set too'],
    [
      'half a vendor of the chat',
      { TIM_SDK_APP_ID: '1400000123', TIM_SECRET_KEY: 'k', TIM_ADMIN: 'administrator' },
      'TIM_CALLBACK_TOKEN must be set too',
    ],
    [
      'a vendor application that is no number',
      { TIM_SDK_APP_ID: 'app', TIM_SECRET_KEY: 'k', TIM_ADMIN: 'administrator', TIM_CALLBACK_TOKEN: 't' },
      'TIM_SDK_APP_ID must be',
    ],
    ['a stand-in of nothing', { KANGQIAO_SIMULATE: 'bank,mail' }, 'KANGQIAO_SIMULATE must name some of bank, tax, oms, logistics'],
    ['half an OCR provider', { OCR_KEY: 'k' }, 'OCR_URL must be set too'],
    ['a weak administrator', { KANGQIAO_ADMIN_PASSWORD: 'abcdefghijk' }, 'KANGQIAO_ADMIN_PASSWORD must have'],
    ['a short demonstration password', { KANGQIAO_DEMO_PASSWORD: 'abc' }, 'KANGQIAO_DEMO_PASSWORD must have'],
    ['a prefix without slash', { KANGQIAO_PREFIX_ADMIN: 'admin' }, 'KANGQIAO_PREFIX_ADMIN must be a path'],
    ['equal prefixes', { KANGQIAO_PREFIX_ADMIN: '/gateway' }, 'must differ'],
    ['a rewrite without host', { KANGQIAO_PRODUCT_REWRITE: 'segment' }, 'must be host=segment'],
  ])('refuses %s', (_, env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  it('names every mistake at once and repeats no password', () => {
    const act = () => readConfig({ PORT: 'x', DATABASE_URL: 'http://u:secret@h', KANGQIAO_MODE: 'y' });
    expect(act).toThrow(/DATABASE_URL/);
    try {
      act();
    } catch (error) {
      expect((error as Error).message.split('\n')).toHaveLength(4);
      expect((error as Error).message).not.toContain('secret');
    }
  });

  it('takes a full production configuration', () => {
    const config = readConfig({
      ...s3,
      KANGQIAO_MODE: 'production',
      DATABASE_URL: 'postgresql://u:p@h/db',
      DATABASE_READ_URL: 'postgresql://u:p@r/db',
      KANGQIAO_KEY: key,
      KANGQIAO_PUBLIC_ORIGIN: 'https://admin.example.com/',
      REDIS_URL: 'rediss://r',
      SMS_URL: 'https://sms',
      SMS_KEY: 'k',
      KANGQIAO_PRODUCT_REWRITE: 'saas.example.com=productSaas',
      PORT: '0',
      HOST: '',
    });
    expect(config).toMatchObject({
      mode: 'production',
      port: 0,
      host: '127.0.0.1',
      publicOrigin: 'https://admin.example.com',
      s3: { bucket: 'b', region: 'cn' },
      sms: { key: 'k' },
      simulated: [],
      productRewrite: { host: 'saas.example.com', segment: 'productSaas' },
    });
  });

  it('plays somebody else in production only where it is told to', () => {
    const production = { KANGQIAO_MODE: 'production', KANGQIAO_PUBLIC_ORIGIN: 'https://admin.example.com' };
    expect(readConfig({ ...production, KANGQIAO_SIMULATE: 'oms, bank' }).simulated).toEqual(['BANK', 'OMS']);
    expect(readConfig({ KANGQIAO_SIMULATE: 'tax' }).simulated).toEqual(['TAX']);
  });
});
