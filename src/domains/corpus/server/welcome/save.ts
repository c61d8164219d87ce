import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { Tx } from '#kernel/server/context.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { command, query } from '#kernel/server/handler.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import { getDoctors, getServiceItem } from '#domains/doctor/server/index.ts';
import { materialErrors } from '../../contract/materials/errors.ts';
import { wrongVariable } from '../../contract/materials/text.ts';
import { addWelcomeMessage, delWelcomeMessage, modifyWelcomeMessage, queryWelcomeMessageDetail } from '../../contract/welcome/calls.ts';
import {
  AUTO_MESSAGE_TARGET,
  autoMachine,
  isEditable,
  scopesOf,
  triggersOf,
  type AutoKind,
  type AutoScope,
} from '../../contract/welcome/dictionaries.ts';
import { MOST_MESSAGES, welcomeErrors } from '../../contract/welcome/errors.ts';
import { ownTx } from '../database.ts';
import { autoMessages, autoRecord, presentMessages, selectMessages } from './rows.ts';

type Fields = Omit<CheckedInputOf<typeof addWelcomeMessage>, 'kind'>;

/** Where each kind of scope has its names. */
const nameOf: Readonly<Record<Exclude<AutoScope, 'DEFAULT'>, (tx: Tx, id: string) => Promise<string | undefined>>> = {
  CHANNEL: async (tx, id) => (await getChannels(tx, [id]))[0]?.name,
  DOCTOR: async (tx, id) => (await getDoctors(tx, [id]))[0]?.name,
  SERVICE_ITEM: async (tx, id) => (await getServiceItem(tx, id, null))?.itemName,
  DISEASE: async (tx, id) =>
    (await ownTx(tx).selectFrom('corpusDisease').select('diseaseName').where('id', '=', id).executeTakeFirst())?.diseaseName,
};

async function scopeOf(tx: Tx, { scopeType, scopeId }: Fields): Promise<{ scopeId: string | null; scopeName: string }> {
  if (scopeType === 'DEFAULT') return { scopeId: null, scopeName: '' };
  if (!scopeId) throw refuseField('scopeId', '请选择适用对象');
  const scopeName = await nameOf[scopeType](tx, scopeId);
  if (scopeName === undefined) throw refuseField('scopeId', '适用对象不存在');
  return { scopeId, scopeName };
}

/** The columns of what was typed. @throws Refusal SCM11071, SCM11053, SCM90020 */
async function columnsOf(tx: Tx, kind: AutoKind, input: Fields) {
  if (!triggersOf(kind).includes(input.triggerType)) throw refuseField('triggerType', '触发时机与类型不符');
  if (!scopesOf(kind).includes(input.scopeType)) throw refuseField('scopeType', '服务通知只能按病种或默认发送');
  const { materialIds, smsText, validFrom, validTo } = input;
  if (materialIds.length > MOST_MESSAGES)
    throw refuse(welcomeErrors.TOO_MANY_MESSAGES, { fields: [{ path: 'materialIds', message: welcomeErrors.TOO_MANY_MESSAGES.text }] });
  const known = await ownTx(tx).selectFrom('corpusMaterial').select('id').where('id', 'in', materialIds).execute();
  if (known.length < new Set(materialIds).size) throw refuseField('materialIds', '素材不存在');
  if (validFrom && validTo && validTo < validFrom) throw refuseField('validTo', '有效期止不能早于有效期起');
  if (smsText && kind === 'WELCOME') throw refuseField('smsText', '欢迎语不发送短信');
  const wrong = smsText ? wrongVariable(smsText) : null;
  if (wrong !== null)
    throw refuse(materialErrors.VARIABLE, { name: wrong }, { fields: [{ path: 'smsText', message: `变量“${wrong}”不存在或缺少缺省值` }] });
  return {
    name: input.name,
    triggerType: input.triggerType,
    scopeType: input.scopeType,
    ...(await scopeOf(tx, input)),
    materialIds: [...materialIds],
    delaySec: input.delaySec,
    quietMode: input.quietMode,
    smsText: smsText || null,
    validFrom: validFrom ?? null,
    validTo: validTo ?? null,
  };
}

export const addMessage = command(addWelcomeMessage, async ({ kind, ...input }, ctx) => {
  const row = await ownTx(ctx.tx)
    .insertInto('corpusAutoMessage')
    .values({
      kind,
      ...(await columnsOf(ctx.tx, kind, input)),
      state: 'DRAFT',
      ...createdColumns(ctx),
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: AUTO_MESSAGE_TARGET, id: row.id, no: input.name });
  return row;
});

export const modifyMessage = command(modifyWelcomeMessage, async ({ id, version, ...input }, ctx) => {
  const row = await autoRecord.lockVersion(ctx, id, version);
  if (row.state === 'AUDITING') throw refuse(materialErrors.IN_AUDIT);
  if (!isEditable(row.state)) throw refuse(platformErrors.WRONG_STATE, { state: autoMachine.dictionary.label(row.state) });
  const columns = await columnsOf(ctx.tx, row.kind, input);
  await ownTx(ctx.tx)
    .updateTable('corpusAutoMessage')
    .set({ ...columns, state: 'DRAFT', version: row.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  ctx.target({ type: AUTO_MESSAGE_TARGET, id, no: columns.name });
  ctx.changed([
    { path: 'name', label: '名称', before: row.name, after: columns.name },
    { path: 'state', label: '状态', before: autoMachine.dictionary.label(row.state), after: autoMachine.dictionary.label('DRAFT') },
  ]);
  return { id, version: row.version + 1 };
});

export const removeMessage = command(delWelcomeMessage, async ({ id, version }, ctx) => {
  const row = await autoRecord.lockVersion(ctx, id, version);
  if (row.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: autoMachine.dictionary.label(row.state) });
  // One that was in use before it was written anew is named by what it sent.
  const sent = await ownTx(ctx.tx)
    .selectFrom('corpusFollowSend')
    .select('id')
    .where('sourceKind', '=', row.kind)
    .where('sourceId', '=', id)
    .limit(1)
    .execute();
  if (sent.length > 0) throw refuseField('id', '已有发送记录，不能删除');
  await ownTx(ctx.tx).deleteFrom('corpusAutoMessage').where('id', '=', id).execute();
  ctx.target({ type: AUTO_MESSAGE_TARGET, id, no: row.name });
  ctx.changed([{ path: 'name', label: '名称', before: row.name, after: null }]);
  return {};
});

export const messageDetail = query(queryWelcomeMessageDetail, async ({ id }, ctx) => {
  const row = await selectMessages(autoMessages(ctx.db), ctx.now).where('a.id', '=', id).executeTakeFirst();
  if (!row) throw autoRecord.missing();
  const [message] = presentMessages([row], (permission) => ctx.has(permission));
  return { message: message!, timeline: await trailOf(ctx.db, AUTO_MESSAGE_TARGET, id) };
});
