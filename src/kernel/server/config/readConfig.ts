import path from 'node:path';
import { privateKeyOf, publicKeyOf } from '../pay/rsa.ts';
import { OUTSIDE_PORTS } from '../outside/ports.ts';
import { APP_OPEN_URL } from '../../contract/linkPlaces.ts';
import { StartFailure } from '../startFailure.ts';
import type { Config, Mode } from './config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of our own prefix; any other `KANGQIAO_…` is a misspelling and refused. */
const OWN = [
  'DATA_DIR',
  'MODE',
  'KEY',
  'ADMIN_PASSWORD',
  'DEMO_PASSWORD',
  'CAPTCHA_ANSWER',
  'SIMULATE',
  'METRICS_TOKEN',
  'CALLS_PER_SECOND',
  'CLOCK',
  'PUBLIC_ORIGIN',
  'APP_OPEN_URL',
  'PREFIX_ADMIN',
  'PREFIX_GATEWAY',
  'PREFIX_PRODUCT',
  'PREFIX_INTRANET',
  'PRODUCT_REWRITE',
  'TRUST_PROXY',
  'STUN_URLS',
  'TURN_URLS',
  'TURN_SECRET',
  'TEST_DATABASE_URL',
].map((name) => `KANGQIAO_${name}`);

const S3 = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
const WECHAT_PAY = [
  'WECHAT_PAY_MCH_ID',
  'WECHAT_PAY_APP_ID',
  'WECHAT_PAY_SERIAL_NO',
  'WECHAT_PAY_PRIVATE_KEY',
  'WECHAT_PAY_API_V3_KEY',
  'WECHAT_PAY_PUBLIC_KEY_ID',
  'WECHAT_PAY_PUBLIC_KEY',
] as const;
const ALIPAY = ['ALIPAY_APP_ID', 'ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY'] as const;
const TENCENT_IM = ['TIM_SDK_APP_ID', 'TIM_SECRET_KEY', 'TIM_ADMIN', 'TIM_CALLBACK_TOKEN'] as const;
const MODES: readonly Mode[] = ['demo', 'production', 'test'];

/** Reads values and gathers one sentence per mistake. */
class Reader {
  readonly mistakes: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** An empty variable counts as absent. */
  text(name: string): string | null {
    return this.#env[name]?.trim() || null;
  }

  wrong(sentence: string): void {
    this.mistakes.push(sentence);
  }

  port(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const port = Number(text);
    if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
    this.wrong(`${name} must be a port number from 0 (any free one) to 65535, not "${text}".`);
    return fallback;
  }

  url(name: string, protocols: readonly string[]): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const protocol = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
    if (protocols.includes(protocol)) return text;
    // The value may hold a password, so it is not repeated.
    this.wrong(`${name} must be an address beginning with ${protocols.map((one) => `${one}://`).join(' or ')}.`);
    return null;
  }

  prefix(name: string, fallback: string): string {
    const text = this.text(name) ?? fallback;
    if (!/^(\/[A-Za-z0-9_-]+)+$/.test(text)) this.wrong(`${name} must be a path such as ${fallback}, not "${text}".`);
    return text;
  }

  /** All of these or none. */
  together<N extends string>(names: readonly N[]): Record<N, string> | null {
    const values = names.map((name) => [name, this.text(name)] as const);
    const missing = values.filter(([, value]) => value === null).map(([name]) => name);
    if (missing.length === names.length) return null;
    if (missing.length > 0) {
      this.wrong(`${missing.join(', ')} must be set too: ${names.join(', ')} belong together.`);
      return null;
    }
    return Object.fromEntries(values) as Record<N, string>;
  }
}

function readMode(read: Reader): Mode {
  const text = read.text('KANGQIAO_MODE') ?? 'demo';
  const mode = MODES.find((one) => one === text);
  if (!mode) read.wrong(`KANGQIAO_MODE must be one of ${MODES.join(', ')}, not "${text}".`);
  return mode ?? 'demo';
}

function readKey(read: Reader): string | null {
  const key = read.text('KANGQIAO_KEY');
  const exact = key !== null && /^[A-Za-z0-9+/]+={0,2}$/.test(key) && Buffer.from(key, 'base64').length === 32;
  if (key !== null && !exact)
    read.wrong('KANGQIAO_KEY must be 32 bytes in base64 (44 characters), for example from: openssl rand -base64 32');
  return key;
}

function readCaptchaAnswer(read: Reader, mode: Mode): string | null {
  const answer = read.text('KANGQIAO_CAPTCHA_ANSWER');
  if (answer === null) return null;
  if (mode === 'production') read.wrong('KANGQIAO_CAPTCHA_ANSWER switches the captcha off and is refused in production mode; remove it.');
  else if (!/^[A-Za-z0-9]{4,8}$/.test(answer)) read.wrong('KANGQIAO_CAPTCHA_ANSWER must be 4 to 8 letters or digits.');
  return answer;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** The clock of mode test is anybody's to move and its captcha has one answer: nobody else's machine may reach it. */
function readHost(read: Reader, mode: Mode): string {
  const host = read.text('HOST') ?? '127.0.0.1';
  if (mode === 'test' && !LOOPBACK.test(host)) read.wrong(`HOST must be 127.0.0.1 in mode test, not "${host}".`);
  return host;
}

function readMetricsToken(read: Reader): string | null {
  const token = read.text('KANGQIAO_METRICS_TOKEN');
  if (token !== null && !/^[\x21-\x7e]{16,200}$/.test(token))
    read.wrong('KANGQIAO_METRICS_TOKEN must have 16 to 200 characters without blanks.');
  return token;
}

function readCallsPerSecond(read: Reader): number {
  const text = read.text('KANGQIAO_CALLS_PER_SECOND') ?? '50';
  const calls = Number(text);
  if (!/^\d{1,5}$/.test(text) || calls < 5) read.wrong(`KANGQIAO_CALLS_PER_SECOND must be a number from 5, not "${text}".`);
  return calls;
}

function readClock(read: Reader, mode: Mode): Config['clockStart'] {
  const text = read.text('KANGQIAO_CLOCK');
  if (text === null) return null;
  if (mode !== 'test') read.wrong('KANGQIAO_CLOCK begins the clock of mode test and is refused in the others; remove it.');
  else if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) || Number.isNaN(Date.parse(text)))
    read.wrong(`KANGQIAO_CLOCK must be a time such as 2026-11-21T02:00:00.000Z, not "${text}".`);
  return text;
}

function readRewrite(read: Reader): Config['productRewrite'] {
  const text = read.text('KANGQIAO_PRODUCT_REWRITE');
  if (text === null) return null;
  const [, host, segment] = /^([A-Za-z0-9.-]+(?::\d+)?)=\/?([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  if (host && segment) return { host, segment };
  read.wrong(`KANGQIAO_PRODUCT_REWRITE must be host=segment, for example saas.example.com=productSaas, not "${text}".`);
  return null;
}

/** Lists of `stun:host:port` and `turn:host:port?transport=tcp`, separated by commas. */
function readIce(read: Reader): Config['ice'] {
  const list = (name: string, scheme: RegExp) => {
    const urls = (read.text(name) ?? '')
      .split(',')
      .map((url) => url.trim())
      .filter((url) => url !== '');
    if (urls.some((url) => !scheme.test(url)))
      read.wrong(
        `${name} must be addresses such as ${name.includes('STUN') ? 'stun:host:3478' : 'turn:host:3478?transport=udp'}, separated by commas.`,
      );
    return urls;
  };
  const [stunUrls, turnUrls] = [list('KANGQIAO_STUN_URLS', /^stuns?:\S+$/), list('KANGQIAO_TURN_URLS', /^turns?:\S+$/)];
  const turnSecret = read.text('KANGQIAO_TURN_SECRET');
  if (turnUrls.length > 0 && turnSecret === null)
    read.wrong('KANGQIAO_TURN_SECRET must be set too: it is the secret shared with the relays of KANGQIAO_TURN_URLS.');
  return stunUrls.length + turnUrls.length === 0 ? null : { stunUrls, turnUrls, turnSecret };
}

function readPrefixes(read: Reader): Config['prefixes'] {
  const prefixes = {
    admin: read.prefix('KANGQIAO_PREFIX_ADMIN', '/admin'),
    gateway: read.prefix('KANGQIAO_PREFIX_GATEWAY', '/gateway'),
    product: read.prefix('KANGQIAO_PREFIX_PRODUCT', '/product'),
    intranet: read.prefix('KANGQIAO_PREFIX_INTRANET', '/intranet'),
  };
  if (new Set(Object.values(prefixes)).size < 4) read.wrong('The four KANGQIAO_PREFIX_… must differ from each other.');
  return prefixes;
}

function readAdminPassword(read: Reader): string | null {
  const password = read.text('KANGQIAO_ADMIN_PASSWORD');
  const kinds = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password ?? '')).length;
  if (password !== null && (password.length < 10 || password.length > 64 || kinds < 3)) {
    read.wrong(
      'KANGQIAO_ADMIN_PASSWORD must have 10 to 64 characters of at least three kinds: capital letters, small letters, digits, others.',
    );
  }
  return password;
}

/** Keys are PEM, or the base64 of their DER form as the providers hand it out. */
function readPay(read: Reader): Config['pay'] {
  const key = (name: string, parse: (text: string) => unknown) => {
    const text = read.text(name);
    if (text === null) return;
    try {
      parse(text);
    } catch {
      read.wrong(`${name} must be an RSA key in PEM form or the base64 of its DER form.`);
    }
  };
  key('WECHAT_PAY_PRIVATE_KEY', privateKeyOf);
  key('WECHAT_PAY_PUBLIC_KEY', publicKeyOf);
  key('ALIPAY_PRIVATE_KEY', privateKeyOf);
  key('ALIPAY_PUBLIC_KEY', publicKeyOf);
  const wechat = read.together(WECHAT_PAY);
  if (wechat && Buffer.byteLength(wechat.WECHAT_PAY_API_V3_KEY) !== 32) read.wrong('WECHAT_PAY_API_V3_KEY must have 32 characters.');
  const alipay = read.together(ALIPAY);
  return {
    wechat: wechat && {
      mchId: wechat.WECHAT_PAY_MCH_ID,
      appId: wechat.WECHAT_PAY_APP_ID,
      serialNo: wechat.WECHAT_PAY_SERIAL_NO,
      privateKey: wechat.WECHAT_PAY_PRIVATE_KEY,
      apiV3Key: wechat.WECHAT_PAY_API_V3_KEY,
      publicKeyId: wechat.WECHAT_PAY_PUBLIC_KEY_ID,
      publicKey: wechat.WECHAT_PAY_PUBLIC_KEY,
    },
    alipay: alipay && { appId: alipay.ALIPAY_APP_ID, privateKey: alipay.ALIPAY_PRIVATE_KEY, publicKey: alipay.ALIPAY_PUBLIC_KEY },
  };
}

/** Stand-ins never play in production unmentioned: what they answer moves neither money nor parcels. */
function readSimulated(read: Reader, mode: Mode): Config['simulated'] {
  const text = read.text('KANGQIAO_SIMULATE');
  if (text === null) return mode === 'production' ? [] : OUTSIDE_PORTS;
  const named = text.split(',').map((name) => name.trim().toUpperCase());
  const unknown = named.filter((name) => !OUTSIDE_PORTS.some((port) => port === name));
  if (unknown.length > 0)
    read.wrong(`KANGQIAO_SIMULATE must name some of ${OUTSIDE_PORTS.join(', ').toLowerCase()}, separated by commas, not "${text}".`);
  return OUTSIDE_PORTS.filter((port) => named.includes(port));
}

/** The vendor's chat: application, its key, the account that acts for us, and the token that the console holds for callbacks. */
function readTencentIm(read: Reader): Config['tencentIm'] {
  const given = read.together(TENCENT_IM);
  const url = read.url('TIM_URL', ['http', 'https'])?.replace(/\/+$/, '') ?? 'https://console.tim.qq.com';
  if (!given) return null;
  if (!/^[1-9]\d{0,9}$/.test(given.TIM_SDK_APP_ID)) read.wrong('TIM_SDK_APP_ID must be a number such as 1400000123.');
  if (given.TIM_CALLBACK_TOKEN.length > 128) read.wrong('TIM_CALLBACK_TOKEN must have at most 128 characters.');
  return {
    sdkAppId: Number(given.TIM_SDK_APP_ID),
    secretKey: given.TIM_SECRET_KEY,
    admin: given.TIM_ADMIN,
    callbackToken: given.TIM_CALLBACK_TOKEN,
    url,
  };
}

/**
 * Reads the configuration from the environment.
 * @throws StartFailure with one line per mistake.
 */
export function readConfig(env: Environment): Config {
  const read = new Reader(env);
  for (const name of Object.keys(env)) {
    if (name.startsWith('KANGQIAO_') && !OWN.includes(name))
      read.wrong(`${name} is not a variable of this program; known are ${OWN.join(', ')}.`);
  }
  const mode = readMode(read);
  const masterKey = readKey(read);
  const databaseUrl = read.url('DATABASE_URL', ['postgres', 'postgresql']);
  const databaseReadUrl = read.url('DATABASE_READ_URL', ['postgres', 'postgresql']);
  if (databaseReadUrl && !read.text('DATABASE_URL')) read.wrong('DATABASE_READ_URL names a replica of DATABASE_URL, which is not set.');
  if (mode === 'production' && read.text('DATABASE_URL') && !masterKey) {
    read.wrong('KANGQIAO_KEY is required in production with DATABASE_URL, because every node needs the same key: openssl rand -base64 32');
  }
  const publicOrigin = read.url('KANGQIAO_PUBLIC_ORIGIN', ['http', 'https'])?.replace(/\/+$/, '') ?? null;
  if (mode === 'production' && !read.text('KANGQIAO_PUBLIC_ORIGIN')) {
    read.wrong(
      'KANGQIAO_PUBLIC_ORIGIN is required in production, because codes, tickets and payment notices lead there: https://admin.example.com',
    );
  }
  const s3 = read.together(S3);
  if (s3) read.url('S3_ENDPOINT', ['http', 'https']);
  const sms = read.together(['SMS_URL', 'SMS_KEY']);
  if (sms) read.url('SMS_URL', ['http', 'https']);
  const ocr = read.together(['OCR_URL', 'OCR_KEY']);
  if (ocr) read.url('OCR_URL', ['http', 'https']);
  const realName = read.together(['REALNAME_URL', 'REALNAME_KEY']);
  if (realName) read.url('REALNAME_URL', ['http', 'https']);
  const demoPassword = read.text('KANGQIAO_DEMO_PASSWORD') ?? 'Kangqiao#2026';
  if (demoPassword.length < 8 || demoPassword.length > 64) read.wrong('KANGQIAO_DEMO_PASSWORD must have 8 to 64 characters.');
  const config: Config = {
    mode,
    host: readHost(read, mode),
    port: read.port('PORT', 8080),
    dataDir: path.resolve(read.text('KANGQIAO_DATA_DIR') ?? 'data'),
    databaseUrl,
    databaseReadUrl,
    redisUrl: read.url('REDIS_URL', ['redis', 'rediss']),
    s3: s3 && {
      endpoint: s3.S3_ENDPOINT,
      region: s3.S3_REGION,
      bucket: s3.S3_BUCKET,
      accessKeyId: s3.S3_ACCESS_KEY_ID,
      secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
    },
    masterKey,
    adminPassword: readAdminPassword(read),
    demoPassword,
    sms: sms && { url: sms.SMS_URL, key: sms.SMS_KEY },
    ocr: ocr && { url: ocr.OCR_URL, key: ocr.OCR_KEY },
    pay: readPay(read),
    simulated: readSimulated(read, mode),
    realName: realName && { url: realName.REALNAME_URL, key: realName.REALNAME_KEY },
    tencentIm: readTencentIm(read),
    prefixes: readPrefixes(read),
    productRewrite: readRewrite(read),
    trustedProxies:
      read
        .text('KANGQIAO_TRUST_PROXY')
        ?.split(',')
        .map((address) => address.trim()) ?? [],
    publicOrigin,
    appOpenUrl: read.url('KANGQIAO_APP_OPEN_URL', ['https'])?.replace(/[?#].*$/, '') ?? APP_OPEN_URL,
    ice: readIce(read),
    clockStart: readClock(read, mode),
    metricsToken: readMetricsToken(read),
    callsPerSecond: readCallsPerSecond(read),
    captchaAnswer: readCaptchaAnswer(read, mode),
  };
  if (read.mistakes.length > 0) {
    throw new StartFailure(`The configuration is wrong:\n${read.mistakes.map((sentence) => `  - ${sentence}`).join('\n')}`);
  }
  return config;
}
