import type { Kernel } from '#kernel/server/kernel.ts';
import { TRTC_HIGHEST_ROOM } from '../../contract/im/vendor.ts';
import { issueUserSig } from '../im/accounts/accounts.ts';
import { vendorOf } from './mode.ts';

const HIGHEST = 4_294_967_295;

/** Who carries a new call, and the highest number that his rooms take. */
export const roomPlan = (kernel: Kernel): { adapter: 'MESH' | 'TRTC'; highest: number } =>
  vendorOf(kernel) ? { adapter: 'TRTC', highest: TRTC_HIGHEST_ROOM } : { adapter: 'MESH', highest: HIGHEST };

/** What somebody shows at the vendor's door; nothing where the browsers connect themselves. */
export async function roomSign(
  kernel: Kernel,
  adapter: string,
  imUserId: string,
): Promise<{ trtcSign: string | null; sdkAppID: number | null }> {
  if (adapter !== 'TRTC' || !vendorOf(kernel)) return { trtcSign: null, sdkAppID: null };
  const { userSig, sdkAppID } = await issueUserSig(kernel, imUserId);
  return { trtcSign: userSig, sdkAppID };
}
