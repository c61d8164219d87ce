import { sql, type RawBuilder } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import { getChannels, getSceneCodes } from '#domains/channel/server/index.ts';
import { getAgents } from '#domains/pharma/server/index.ts';
import { keepCopy } from '../refs/copies.ts';

const COPY = 0;

/** Copies the names that lists show beside an attribution; their owners' events keep them current. */
export async function rememberNames(
  ctx: Pick<Acting, 'tx' | 'now'>,
  of: { channelId: string | null; agentId: string | null; sceneCodeId?: string | null },
): Promise<void> {
  const { rows: known } = await sql<{ kind: string; refId: string }>`
    select kind, ref_id
      from doctor_ref_copy
      where (kind, ref_id) in (
        ('CHANNEL', ${of.channelId ?? '0'}::bigint), ('AGENT', ${of.agentId ?? '0'}::bigint),
        ('SCENE_CODE', ${of.sceneCodeId ?? '0'}::bigint)
      )`.execute(ctx.tx);
  const missing = (kind: string, id: string | null | undefined): id is string =>
    typeof id === 'string' && !known.some((copy) => copy.kind === kind && copy.refId === id);
  if (missing('CHANNEL', of.channelId))
    for (const { id, name, state } of await getChannels(ctx.tx, [of.channelId]))
      await keepCopy(ctx.tx, { kind: 'CHANNEL', refId: id, name, state }, COPY, ctx.now);
  if (missing('AGENT', of.agentId))
    for (const { agentId, name, status } of await getAgents(ctx.tx, [of.agentId]))
      await keepCopy(ctx.tx, { kind: 'AGENT', refId: agentId, name, state: status }, COPY, ctx.now);
  if (missing('SCENE_CODE', of.sceneCodeId))
    for (const { id, sceneCodeNo } of await getSceneCodes(ctx.tx, [of.sceneCodeId]))
      await keepCopy(ctx.tx, { kind: 'SCENE_CODE', refId: id, name: sceneCodeNo, state: 'ACTIVE' }, COPY, ctx.now);
}

/** Name of a copied record, inside a list's one statement. */
export const nameOf = (kind: 'CHANNEL' | 'AGENT' | 'SCENE_CODE', column: string): RawBuilder<string | null> =>
  sql<string | null>`(select rc.name from doctor_ref_copy rc where rc.kind = ${kind} and rc.ref_id = ${sql.ref(column)})`;
