import { randomBytes } from 'node:crypto';
import { refuseField } from '#kernel/contract/errors.ts';
import { needsHouse, type MachineParty } from '#kernel/contract/machine.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addApiClient, modifyApiClient, queryApiClientList, queryApiRightList, rotateApiKey } from '../../contract/calls/apiClients.ts';
import { apiParties } from '../../contract/dictionaries.ts';
import { apiClientStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { json, own } from '../database.ts';
import { requireStepUp } from '../login/stepUp.ts';
import { rightsOf } from './rights.ts';
import { houseName, listClients, lockClient, presentAll } from './rows.ts';
import { storedKeys, type StoredKey } from './verifier.ts';

const LABELS = {
  name: '名称',
  party: '类型',
  partyId: '对应单位',
  permissions: '权限',
  scope: '数据范围',
  ipAllow: 'IP白名单',
  ratePerMin: '每分钟调用上限',
};
/** The older key of a rotation works on for so long at most. */
const OVERLAP_DAYS = 7;

/** Machines that call with a key and a signature: their rights, addresses and keys. */
export function apiClientHandlers({ kernel, hooks }: IdentityCore): Handler[] {
  const newKey = (now: Instant): { key: StoredKey; secret: string } => {
    const secret = randomBytes(32).toString('base64url');
    return {
      secret,
      key: { keyId: `k${randomBytes(6).toString('hex')}`, secretCipher: kernel.secrets.encrypt(secret), createdAt: now, expiresAt: null },
    };
  };
  /** A machine is given what its party may call, and what belongs to one of many houses names its house. */
  const requirePossible = async (
    tx: Tx,
    client: { party: MachineParty; partyId?: string | null | undefined; permissions: readonly string[] },
  ) => {
    const offered = new Map(rightsOf(kernel).map((right) => [right.permission, right]));
    for (const code of client.permissions) {
      const right = offered.get(code);
      if (!right) throw refuseField('permissions', `没有这个系统调用权限：${code}`);
      if (!right.parties.includes(client.party))
        throw refuseField('permissions', `“${right.label}”不能授予${apiParties.label(client.party)}，请移除或更换类型`);
    }
    if (needsHouse(client.party) !== Boolean(client.partyId))
      throw refuseField('partyId', needsHouse(client.party) ? `请选择${apiParties.label(client.party)}` : '该类型没有对应单位，请清空');
    if (client.partyId && (await houseName(hooks, tx, { party: client.party, partyId: client.partyId })) === undefined)
      throw refuseField('partyId', `没有这家${apiParties.label(client.party)}，请重新选择`);
  };
  const lockFresh = async (ctx: CommandContext, id: string, seen: number) => {
    const row = await lockClient(ctx.tx, id, ctx.today);
    const view = (await presentAll(hooks, ctx.tx, [row], ctx.now))[0]!;
    await requireVersion(ctx, 'apiClient', row, seen, () => view);
    ctx.target({ type: 'apiClient', id, no: row.clientId });
    return { row, view };
  };
  const answer = async (ctx: CommandContext, id: string) =>
    (await presentAll(hooks, ctx.tx, [await lockClient(ctx.tx, id, ctx.today)], ctx.now))[0]!;

  return [
    // No `listOf`: some dozens of rows that their lock reads the same way.
    query(queryApiClientList, (input, { db, today, now }) =>
      listClients(hooks, db, input, { limit: input.pageSize, offset: offsetOf(input) }, today, now),
    ),

    query(queryApiRightList, () => Promise.resolve(rightsOf(kernel))),

    command(addApiClient, async (input, ctx) => {
      await requireStepUp(ctx.tx, ctx);
      await requirePossible(ctx.tx, input);
      const { key, secret } = newKey(ctx.now);
      const clientId = `kq_${randomBytes(8).toString('hex')}`;
      const { id } = await own(ctx.tx)
        .insertInto('identityApiClient')
        .values({
          clientId,
          name: input.name,
          party: input.party,
          partyId: input.partyId ?? null,
          keys: json([key]),
          permissions: json(input.permissions),
          scope: json(input.scope),
          ipAllow: json(input.ipAllow),
          ratePerMin: input.ratePerMin,
          state: 'ENABLED',
          ...createdColumns(ctx),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      ctx.target({ type: 'apiClient', id, no: clientId });
      return { client: await answer(ctx, id), keyId: key.keyId, secret };
    }),

    command(modifyApiClient, async ({ id, version, action, opinion, ...changes }, ctx) => {
      const { row, view: before } = await lockFresh(ctx, id, version);
      const state = action
        ? await moveState(ctx, apiClientStates, {
            targetType: 'apiClient',
            targetId: id,
            targetNo: row.clientId,
            action,
            from: row.state,
            opinion,
          })
        : row.state;
      const after = { ...before, ...changes };
      if (Object.keys(changes).length > 0) await requirePossible(ctx.tx, after);
      await own(ctx.tx)
        .updateTable('identityApiClient')
        .set({
          name: after.name,
          party: after.party,
          partyId: after.partyId ?? null,
          permissions: json(after.permissions),
          scope: json(after.scope),
          ipAllow: json(after.ipAllow),
          ratePerMin: after.ratePerMin,
          state,
          version: version + 1,
          ...updatedColumns(ctx),
        })
        .where('id', '=', id)
        .execute();
      ctx.changed(differencesOf(before, changes, LABELS));
      return answer(ctx, id);
    }),

    command(rotateApiKey, async ({ id, version, oldKeyExpiresAt }, ctx) => {
      await requireStepUp(ctx.tx, ctx);
      const { row } = await lockFresh(ctx, id, version);
      if (oldKeyExpiresAt > plusMs(ctx.now, days(OVERLAP_DAYS))) throw refuseField('oldKeyExpiresAt', `旧密钥最多再保留${OVERLAP_DAYS}天`);
      const { key, secret } = newKey(ctx.now);
      // Two keys overlap at most: what had already run out goes, the one in use gets its end.
      const kept = storedKeys(row.keys)
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > ctx.now)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
        .slice(0, 1)
        .map((old) => ({ ...old, expiresAt: old.expiresAt !== null && old.expiresAt < oldKeyExpiresAt ? old.expiresAt : oldKeyExpiresAt }));
      await own(ctx.tx)
        .updateTable('identityApiClient')
        .set({ keys: json([...kept, key]), version: version + 1, ...updatedColumns(ctx) })
        .where('id', '=', id)
        .execute();
      ctx.changed([{ path: 'keys', label: '密钥', before: kept.map(({ keyId }) => keyId).join('、'), after: key.keyId }]);
      return { client: await answer(ctx, id), keyId: key.keyId, secret };
    }),
  ];
}
