import { createHash } from 'node:crypto';
import { plusMs, type Instant } from '#kernel/contract/time.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Attachment, Welcome } from '../../../contract/calls/liveCodes.ts';
import { own } from '../../database.ts';
import { noteCall } from '../corps.ts';
import { type Corp, WecomError, type WecomPort, type WelcomeAttachment, type WelcomeFile, type WelcomeMessage } from '../port/port.ts';

/** WeChat Work takes a welcome code this long. */
const WELCOME_MS = 20_000;

/** Fills `{客户昵称}`, `{成员姓名}` and `{渠道名称}`. */
export const fillWelcome = (text: string, names: { contact: string; member: string; channel: string }): string =>
  text.replaceAll('{客户昵称}', names.contact).replaceAll('{成员姓名}', names.member).replaceAll('{渠道名称}', names.channel);

const hashOf = (welcomeCode: string) => createHash('sha256').update(welcomeCode).digest('hex');

const fileOf = (kernel: Kernel, fileId: string): WelcomeFile => ({
  fileId,
  async open() {
    const { fileName, contentType, body } = await kernel.ports.files.openRead(kernel.db, fileId);
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part as Buffer);
    return { name: fileName, contentType, bytes: Buffer.concat(parts) };
  },
});

function handedOver(kernel: Kernel, { type, title, url, fileId, appId, path }: Attachment): WelcomeAttachment[] {
  if (type === 'link') return url === null ? [] : [{ type, title, url }];
  if (fileId === null) return [];
  const file = fileOf(kernel, fileId);
  if (type !== 'mini') return [{ type, file }];
  return appId === null || path === null ? [] : [{ type, title, appId, path, cover: file }];
}

/** What a live code says to whom a member was added by; null when it says nothing. */
export async function welcomeOf(kernel: Kernel, liveCodeId: string, memberId: string, contact: string): Promise<WelcomeMessage | null> {
  const row = await own(kernel.db)
    .selectFrom('channelLiveCode as l')
    .innerJoin('channelChannel as c', 'c.id', 'l.channelId')
    .select([
      'l.welcome',
      'c.name as channel',
      (eb) => eb.selectFrom('channelWecomMember').select('name').where('id', '=', memberId).as('member'),
    ])
    .where('l.id', '=', liveCodeId)
    .executeTakeFirst();
  const welcome = row?.welcome as Welcome | undefined;
  if (!row || !welcome || (welcome.text === '' && welcome.attachments.length === 0)) return null;
  return {
    text: fillWelcome(welcome.text, { contact, member: row.member ?? '', channel: row.channel }),
    attachments: welcome.attachments.flatMap((attachment) => handedOver(kernel, attachment)),
  };
}

/** Sends a welcome once per code: one try and one more, within 20 s of the callback; later it is only noted. */
export async function sendWelcome(
  ctx: Pick<JobContext, 'db' | 'kernel'>,
  port: WecomPort,
  corp: Corp,
  wish: { welcomeCode: string; contactId: string; receivedAt: Instant; message: WelcomeMessage },
): Promise<void> {
  const welcomeCodeHash = hashOf(wish.welcomeCode);
  const now = () => ctx.kernel.clock.now();
  const isLate = () => plusMs(wish.receivedAt, WELCOME_MS) < now();
  // The row is taken first: a callback that comes again finds it.
  const taken = await own(ctx.db)
    .insertInto('channelWelcomeSend')
    .values({ welcomeCodeHash, contactId: wish.contactId, state: isLate() ? 'EXPIRED' : 'FAILED', at: now() })
    .onConflict((conflict) => conflict.column('welcomeCodeHash').doNothing())
    .returning('state')
    .executeTakeFirst();
  if (!taken) return;
  let state = taken.state;
  let failure: WecomError | null = null;
  for (let attempt = 1; attempt <= 2 && state === 'FAILED' && !isLate(); attempt += 1) {
    failure = await port.sendWelcome(corp, wish.welcomeCode, wish.message).then(
      () => null,
      (error: unknown) => (error instanceof WecomError ? error : new WecomError(-1, String(error))),
    );
    await noteCall(ctx.db, corp.id, failure, now());
    if (failure === null) state = 'SENT';
  }
  // A first try that took the whole time is late, too.
  if (state === 'FAILED' && isLate()) state = 'EXPIRED';
  await own(ctx.db)
    .updateTable('channelWelcomeSend')
    .set({ state, errcode: failure?.errcode ?? null, at: now() })
    .where('welcomeCodeHash', '=', welcomeCodeHash)
    .execute();
  await own(ctx.db).updateTable('channelWecomContact').set({ welcomeState: state }).where('id', '=', wish.contactId).execute();
}
