import type { Deed } from '../deed.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { sayJob } from '../groups/say.ts';
import type { InquiryRow } from './rows.ts';

const TEXTS: Readonly<Record<string, string>> = {
  '1': '医生将尽快接诊，请耐心等待',
  '2': '医生已接诊，可以开始咨询',
  '3': '医生申请结束本次问诊，请确认',
  '4': '本次问诊已结束，感谢您的信任',
  '5': '本次问诊已取消',
  '6': '医生已退诊，费用将原路退回',
  '7': '本次问诊已超时关闭，费用将原路退回',
};

/** Tells the chat where the inquiry stands, after the commit; each step is said once. */
export async function announce(ctx: Deed, inquiry: InquiryRow, from: string): Promise<void> {
  if (inquiry.groupId === null) return;
  const text =
    from === '4'
      ? '本次问诊已恢复，可以继续咨询'
      : from === '3' && inquiry.serverStatus === '2'
        ? '问诊继续进行'
        : (TEXTS[inquiry.serverStatus] ?? '');
  await ctx.enqueue(sayJob, {
    groupId: inquiry.groupId,
    clientMsgId: `inquiry:${inquiry.id}:${inquiry.version}`,
    type: messageTypes.CUSTOM,
    sourceRef: `inquiry:${inquiry.id}`,
    payload: cardPayload({ businessID: 'inquiry_status', v: 1, serverId: inquiry.id, from, to: inquiry.serverStatus, text }, text),
  });
}
