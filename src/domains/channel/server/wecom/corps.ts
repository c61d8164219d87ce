import { originOf } from '#kernel/server/config/origin.ts';
import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command, procedure } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { authorColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { changeCorpState, queryCorpList, saveCorp, saveCorpApp, testCorp, type CorpRow } from '../../contract/calls/wecom.ts';
import { channelErrors } from '../../contract/errors.ts';
import { corpStates } from '../../contract/states.ts';
import { corps } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { type Corp, WecomError, type WecomPort } from './port/port.ts';

export const CORP_TARGET = corps.type;
const MOST_CONTACT_WAYS = 500_000;
/** Failing calls in a row that make a company faulty. */
const FAILURES = 3;

/** A company with its secret in the clear, for the port alone. */
export async function corpOf(
  kernel: Kernel,
  db: Db,
  id: string,
): Promise<Corp & { name: string; state: string; callbackToken: string | null; encodingAesKey: string | null }> {
  const row = await corps.get(db, everyone, id);
  const open = (cipher: string | null) => (cipher === null ? null : kernel.secrets.decrypt(cipher));
  return {
    id: row.id,
    corpId: row.corpId,
    name: row.name,
    state: row.state,
    mode: row.mode,
    contactSecret: open(row.contactSecret),
    callbackToken: open(row.callbackToken),
    encodingAesKey: open(row.encodingAesKey),
  };
}

/** Notes how a call to WeChat Work went: three failures in a row make the company faulty, one success clears it. */
export async function noteCall(db: Db, corpRowId: string, error: WecomError | null, now: Instant): Promise<void> {
  if (error === null)
    await sql`
      update channel_wecom_corp
        set failures = 0, last_errcode = null, last_error = null, state = case when state = 'ERROR' then 'CONNECTED' else state end
        where id = ${corpRowId} and (failures > 0 or state = 'ERROR')`.execute(db);
  else
    await sql`
      update channel_wecom_corp
        set failures = failures + 1, last_errcode = ${error.errcode}, last_error = ${error.message},
          state = case when state = 'CONNECTED' and failures + 1 >= ${FAILURES} then 'ERROR' else state end, updated_at = ${now}
        where id = ${corpRowId}`.execute(db);
}

/** Companies of WeChat Work in the order in which they were connected. */
const corpList = (kernel: Kernel) =>
  listOf(queryCorpList)
    .from(({ db }) => own(db).selectFrom('channelWecomCorp as k'))
    .with({
      where: {},
      id: 'k.id',
      unsorted: 'a handful of cards in the order in which they were bound',
      order: [['k.id', 'asc']],
      select: (query) =>
        query.select(['k.id', 'k.corpId', 'k.name', 'k.mode', 'k.state', 'k.lastErrcode', 'k.lastError', 'k.version']).select([
          sql<CorpRow['configured']>`
            jsonb_build_object(
              'contactSecret', k.contact_secret is not null, 'callbackToken', k.callback_token is not null, 'encodingAesKey',
              k.encoding_aes_key is not null
            )`.as('configured'),
          sql<number>`(
              select count(*)::int
                from channel_live_code_member m
                join channel_live_code l on l.id = m.live_code_id
                where l.corp_row_id = k.id and m.way_state = 'READY'
            )`.as('ways'),
          sql<number>`(select count(*)::int from channel_wecom_member m where m.corp_row_id = k.id and m.status <> 5)`.as('members'),
          sql<number>`(select count(*)::int from channel_wecom_member m where m.corp_row_id = k.id and m.bind_state = 'BOUND')`.as('bound'),
          sql<string | null>`(
              select to_char(max(r.ended_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                from channel_sync_run r
                where r.corp_row_id = k.id and r.state <> 'FAILED'
            )`.as('lastSyncAt'),
          sql<CorpRow['apps']>`
            coalesce((
              select jsonb_agg(
                jsonb_build_object(
                  'id', a.id::text, 'agentId', a.agent_id, 'name', a.name, 'homeUrl', a.home_url, 'state', a.state, 'configured',
                  a.secret is not null
                ) order by a.id
              )
                from channel_wecom_app a
                where a.corp_row_id = k.id
            ), '[]')`.as('apps'),
        ]),
      present: (rows) =>
        rows.map(({ ways, ...row }) => ({
          ...row,
          quota: { used: ways, total: MOST_CONTACT_WAYS },
          callbackUrl: `${originOf(kernel.config)}${kernel.config.prefixes.gateway}/WeChatWorkCallback/${row.corpId}`,
        })),
    });

export const corpHandlers = (kernel: Kernel, portOf: (corp: Corp) => WecomPort) => [
  corpList(kernel).handler,

  command(saveCorp, async ({ id, version, contactSecret, callbackToken, encodingAesKey, ...fields }, ctx) => {
    if (encodingAesKey && !/^[A-Za-z0-9]{43}$/.test(encodingAesKey)) throw refuse(channelErrors.AES_KEY_LENGTH);
    const secrets = Object.fromEntries(
      Object.entries({ contactSecret, callbackToken, encodingAesKey })
        .filter(([, value]) => value)
        .map(([name, value]) => [name, kernel.secrets.encrypt(value!)]),
    );
    const tx = ownTx(ctx.tx);
    const twin = await tx.selectFrom('channelWecomCorp').select('id').where('corpId', '=', fields.corpId).executeTakeFirst();
    if (twin && twin.id !== id) throw refuse(platformErrors.MALFORMED, { fields: [{ path: 'corpId', message: '该企业已存在' }] });
    // New credentials have to prove themselves.
    const stamp = { ...fields, ...secrets, ...updatedColumns(ctx) };
    if (id === undefined) {
      const row = await tx
        .insertInto('channelWecomCorp')
        .values({ ...stamp, ...authorColumns(ctx) })
        .returning(['id', 'version'])
        .executeTakeFirstOrThrow();
      ctx.target({ type: CORP_TARGET, id: row.id, no: fields.corpId });
      return row;
    }
    const before = await corps.lockVersion(ctx, id, version ?? null, ({ name, corpId, mode }) => ({ name, corpId, mode }));
    ctx.target({ type: CORP_TARGET, id, no: fields.corpId });
    ctx.changed(Object.keys(secrets).map((path) => ({ path, label: '密钥', before: '******', after: '已更新' })));
    const again = Object.keys(secrets).length > 0 || before.corpId !== fields.corpId || before.mode !== fields.mode;
    return tx
      .updateTable('channelWecomCorp')
      .set((eb) => ({ ...stamp, ...(again && before.state !== 'DISABLED' ? { state: 'UNVERIFIED' } : {}), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
  }),

  procedure(testCorp, async ({ id }, ctx) => {
    const corp = await corpOf(kernel, ctx.db, id);
    ctx.target({ type: CORP_TARGET, id, no: corp.corpId });
    if (corp.state === 'DISABLED') throw refuse(platformErrors.WRONG_STATE, { state: corpStates.dictionary.label('DISABLED') });
    if (corp.mode === 'WECOM' && corp.contactSecret === null) throw refuse(channelErrors.CORP_CREDENTIALS);
    const failure = await portOf(corp)
      .test(corp)
      .then(
        () => null,
        (error: unknown) => (error instanceof WecomError ? error : new WecomError(-1, String(error))),
      );
    const state = failure ? 'ERROR' : 'CONNECTED';
    const row = await own(ctx.db)
      .updateTable('channelWecomCorp')
      .set((eb) => ({
        state,
        failures: failure ? 3 : 0,
        lastErrcode: failure?.errcode ?? null,
        lastError: failure?.message ?? null,
        version: eb('version', '+', 1),
        updatedAt: ctx.now,
      }))
      .where('id', '=', id)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    if (failure)
      throw refuse(
        channelErrors.CORP_CREDENTIALS,
        [40001, 40013].includes(failure.errcode) ? {} : { message: `${failure.message}（${failure.errcode}）` },
      );
    return row;
  }),

  command(changeCorpState, async ({ id, version, action, opinion }, ctx) => {
    const row = await corps.lockVersion(ctx, id, version, ({ name }) => ({ name }));
    const state = await moveState(ctx, corpStates, {
      targetType: CORP_TARGET,
      targetId: id,
      targetNo: row.corpId,
      action,
      from: row.state,
      opinion,
    });
    await ownTx(ctx.tx)
      .updateTable('channelWecomCorp')
      .set((eb) => ({ state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    return actionAnswer(ctx, corpStates, { id, state, version: version + 1 });
  }),

  command(saveCorpApp, async ({ corpRowId, agentId, secret, ...fields }, ctx) => {
    const corp = await corps.get(ctx.tx, ctx.staff, corpRowId);
    const values = { ...fields, ...(secret ? { secret: kernel.secrets.encrypt(secret) } : {}), updatedAt: ctx.now };
    ctx.target({ type: CORP_TARGET, id: corpRowId, no: `${corp.corpId}/${agentId}` });
    return ownTx(ctx.tx)
      .insertInto('channelWecomApp')
      .values({ corpRowId, agentId, ...values, createdAt: ctx.now })
      .onConflict((conflict) => conflict.columns(['corpRowId', 'agentId']).doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow();
  }),
];
