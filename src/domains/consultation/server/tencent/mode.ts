import type { Config } from '#kernel/server/config/config.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { EMBEDDED_APP_ID } from '../im/engine.ts';
import { signKey } from '../im/accounts/userSign.ts';

export type TencentConfig = NonNullable<Config['tencentIm']>;

export const vendorOf = (kernel: Kernel): TencentConfig | null => kernel.config.tencentIm;
export const imModeOf = (kernel: Kernel): 'EMBEDDED' | 'TENCENT' => (vendorOf(kernel) ? 'TENCENT' : 'EMBEDDED');

/** Whose application user signs are for, and the key that makes them. */
export async function signerOf(kernel: Kernel): Promise<{ sdkAppID: number; key: string }> {
  const vendor = vendorOf(kernel);
  return vendor ? { sdkAppID: vendor.sdkAppId, key: vendor.secretKey } : { sdkAppID: EMBEDDED_APP_ID, key: await signKey(kernel) };
}
