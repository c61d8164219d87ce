import { instantOf, type Instant } from '#kernel/contract/time.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own, ownTx } from '../database.ts';
import { keepContact } from './contacts/contacts.ts';
import { corpOf } from './corps.ts';
import type { Corp, RemoteContact, WecomPort } from './port/port.ts';
import { loseMember } from './sync.ts';
import { giveTags } from './contacts/tags.ts';
import { settleTransfer } from './contacts/transfers.ts';
import { sendWelcome, welcomeOf } from './contacts/welcome.ts';
import { within } from '../within.ts';

/** Fields of a callback; the simulator adds the contact itself, which the real interface is asked for. */
export interface CallbackFields {
  Event?: string;
  ChangeType?: string;
  UserID?: string;
  ExternalUserID?: string;
  State?: string;
  WelcomeCode?: string;
  CreateTime?: string;
  NickName?: string;
  visitorId?: string;
  scanId?: string;
  FailReason?: string;
}

const DELETIONS: Record<string, 'DELETED_BY_MEMBER' | 'DELETED_BY_CUSTOMER'> = {
  del_external_contact: 'DELETED_BY_MEMBER',
  del_follow_user: 'DELETED_BY_CUSTOMER',
};
const FAILED_TRANSFERS: Record<string, 'REFUSED' | 'LIMIT'> = { customer_refused: 'REFUSED', customer_limit_exceed: 'LIMIT' };

/** Of the twenty seconds that a welcome has, its name may take these. */
const DETAILS_MS = 3_000;

async function contactAdded(
  kernel: Kernel,
  ctx: Pick<JobContext, 'db' | 'kernel' | 'transaction'>,
  port: WecomPort,
  corp: Corp,
  fields: CallbackFields,
  receivedAt: Instant,
): Promise<void> {
  const { UserID: wecomUserId = '', ExternalUserID: externalUserId = '' } = fields;
  const member = await own(ctx.db)
    .selectFrom('channelWecomMember')
    .select(['id', 'name'])
    .where('corpRowId', '=', corp.id)
    .where('wecomUserId', '=', wecomUserId)
    .executeTakeFirst();
  if (!member) throw new Error(`member ${wecomUserId} is not known yet`);
  const now = kernel.clock.now();
  // The welcome does not wait long for the details: the nightly sync brings them where they are late.
  const details = await within(port.contact(corp, externalUserId, wecomUserId), DETAILS_MS).catch(() => null);
  const known: RemoteContact = details ?? {
    externalUserId,
    nickName: fields.NickName ?? '',
    avatar: null,
    unionId: null,
    addedAt: fields.scanId ? now : receivedAt,
    wayKey: null,
    tagIds: [],
  };
  const kept = await ctx.transaction(({ tx }) =>
    keepContact(
      kernel,
      tx,
      {
        ...known,
        wayKey: fields.State ?? known.wayKey,
        corpRowId: corp.id,
        memberId: member.id,
        ...(fields.visitorId && { visitorId: fields.visitorId }),
        ...(fields.scanId && { scanId: fields.scanId }),
      },
      now,
    ),
  );
  if (kept.liveCodeId === null) return;
  const message = await welcomeOf(kernel, kept.liveCodeId, member.id, known.nickName);
  if (fields.WelcomeCode && message)
    await sendWelcome(ctx, port, corp, { welcomeCode: fields.WelcomeCode, contactId: kept.id, receivedAt, message });
  await giveTags(ctx, port, corp, { id: kept.id, liveCodeId: kept.liveCodeId, wecomUserId, externalUserId });
}

/** Handles one callback of the inbox. */
export async function handleCallback(
  kernel: Kernel,
  ctx: Pick<JobContext, 'db' | 'kernel' | 'transaction'>,
  portOf: (corp: Corp) => WecomPort,
  eventId: string,
): Promise<void> {
  const event = await own(ctx.db)
    .selectFrom('channelWecomEvent')
    .selectAll()
    .where('id', '=', eventId)
    .where('handledAt', 'is', null)
    .executeTakeFirst();
  if (!event) return;
  const corp = await corpOf(kernel, ctx.db, event.corpRowId);
  const fields = event.payload as CallbackFields;
  const change = fields.ChangeType ?? '';
  if (change === 'add_external_contact' || change === 'add_half_external_contact') {
    const made = Number(fields.CreateTime);
    await contactAdded(
      kernel,
      ctx,
      portOf(corp),
      corp,
      fields,
      Number.isFinite(made) && made > 0 ? instantOf(made * 1000) : event.receivedAt,
    );
  } else if (DELETIONS[change]) {
    await own(ctx.db)
      .updateTable('channelWecomContact as t')
      .from('channelWecomMember as m')
      .set({ status: DELETIONS[change], updatedAt: kernel.clock.now() })
      .whereRef('m.id', '=', 't.memberId')
      .where('t.corpRowId', '=', corp.id)
      .where('t.externalUserId', '=', fields.ExternalUserID ?? '')
      .where('m.wecomUserId', '=', fields.UserID ?? '')
      .execute();
  } else if (change === 'transfer_fail') {
    const state = FAILED_TRANSFERS[fields.FailReason ?? ''] ?? 'FAILED';
    await ctx.transaction(({ tx }) =>
      settleTransfer(
        tx,
        { corpRowId: corp.id, toUserId: fields.UserID ?? '', externalUserId: fields.ExternalUserID ?? '', state },
        kernel.clock.now(),
      ),
    );
  } else if (change === 'delete_user') {
    await ctx.transaction((writing) => loseMember(writing, corp.id, fields.UserID ?? '', kernel.clock.now()));
  }
  await own(ctx.db)
    .updateTable('channelWecomEvent')
    .set({ handledAt: kernel.clock.now(), error: null })
    .where('id', '=', eventId)
    .execute();
}

export const handleCallbacks = (kernel: Kernel, portOf: (corp: Corp) => WecomPort) =>
  job<{ eventId: string }>({
    name: 'channel.handleCallback',
    label: '企业微信回调',
    concurrency: 4,
    retryLimit: 5,
    subject: ({ eventId }) => eventId,
    run: ({ eventId }, ctx) => handleCallback(kernel, ctx, portOf, eventId),
  });

/** Puts a callback into the inbox, once. @returns its id, null when it was there already. */
export async function receiveEvent(
  tx: Parameters<typeof ownTx>[0],
  corpRowId: string,
  eventKey: string,
  fields: CallbackFields,
  now: Instant,
): Promise<string | null> {
  const row = await ownTx(tx)
    .insertInto('channelWecomEvent')
    .values({ corpRowId, eventKey, kind: fields.ChangeType ?? fields.Event ?? '', payload: JSON.stringify(fields), receivedAt: now })
    .onConflict((conflict) => conflict.columns(['corpRowId', 'eventKey']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}
