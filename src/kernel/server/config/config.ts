import type { AlipayConfig } from '../pay/alipay.ts';
import type { WechatPayConfig } from '../pay/wechat.ts';

export type Mode = 'demo' | 'production' | 'test';

export interface Config {
  mode: Mode;
  host: string;
  port: number;
  dataDir: string;
  /** Absent: the embedded server under the data folder. */
  databaseUrl: string | null;
  databaseReadUrl: string | null;
  redisUrl: string | null;
  s3: { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | null;
  /** Base64 of 32 bytes; absent: a key file in the data folder. */
  masterKey: string | null;
  adminPassword: string | null;
  demoPassword: string;
  /** Real pay channels; a missing one is simulated outside production. */
  pay: { wechat: WechatPayConfig | null; alipay: AlipayConfig | null };
  sms: { url: string; key: string } | null;
  /** Reader of documents; absent: nothing is read by machine. */
  ocr: { url: string; key: string } | null;
  prefixes: { admin: string; gateway: string; product: string; intranet: string };
  /** Deployment domain on which the product path segment is another. */
  productRewrite: { host: string; segment: string } | null;
  /** Proxies whose `X-Forwarded-For` names the caller's address. */
  trustedProxies: readonly string[];
  /** Address under which visitors reach the public pages (`https://host`); printed into QR codes. Absent: this process on loopback. */
  publicOrigin: string | null;
  /** Fixed answer for captcha and SMS codes; never in production. */
  captchaAnswer: string | null;
}
