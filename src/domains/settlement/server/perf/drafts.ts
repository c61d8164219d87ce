import { dayOf } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { getAgents } from '#domains/pharma/server/index.ts';
import { perfChangeTypes, type PerfChangeType, type PerfSource } from '../../contract/dictionaries.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { pairKey, type Pair } from './attribution.ts';
import { draftTodo } from './handlers.ts';
import { standingOf, type Wish } from './keep.ts';
import { insertItems, keepImpact, keepNamed, peopleOf, readItems } from './write.ts';

interface Told {
  changeType: PerfChangeType;
  effectiveDate: string;
  reasonCode: 'AREA_CHANGE' | 'AGENT_LEFT' | 'NEW_DOCTOR';
  reason: string;
  sourceType: PerfSource;
  sourceNo: string;
}

/** A draft for a person; what is told in parts is added to one that nobody has handed in yet. */
async function draft(kernel: Kernel, ctx: ConsumerContext, told: Told, wishes: readonly Wish[]): Promise<void> {
  if (wishes.length === 0) return;
  await keepNamed(ctx.tx, wishes, ctx.now);
  const open = await own(ctx.tx)
    .selectFrom('settlementPerfChange')
    .select(['id', 'requestNo'])
    .where('sourceNo', '=', told.sourceNo)
    .where('changeType', '=', told.changeType)
    .where('status', '=', 'DRAFT')
    .where('makerId', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  const request =
    open ??
    (await own(ctx.tx)
      .insertInto('settlementPerfChange')
      .values({
        requestNo: await nextNumber(ctx.tx, 'PC', dayOf(ctx.now)),
        ...told,
        makerName: '系统',
        ...createdColumns({ now: ctx.now, userId: null }),
      })
      .returning(['id', 'requestNo'])
      .executeTakeFirstOrThrow());
  const known = new Set((await readItems(ctx.tx, request.id)).map(pairKey));
  const fresh = wishes.filter((wish) => !known.has(pairKey(wish)));
  if (fresh.length > 0) await insertItems(ctx.tx, request.id, fresh);
  const items = await readItems(ctx.tx, request.id);
  await keepImpact(ctx.tx, request.id, items, told.effectiveDate);
  await own(ctx.tx).updateTable('settlementPerfChange').set(peopleOf(items)).where('id', '=', request.id).execute();
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: draftTodo(request.id),
      title: `请确认绩效关系变更单${request.requestNo}`,
      body: `${told.reason}，系统已起草${perfChangeTypes.label(told.changeType)}变更单，共${items.length}条，请核对后提交审核或撤回。`,
      link: `/perfRelatedChange?requestNo=${request.requestNo}`,
      permission: may['perf.edit'].code,
    },
    ctx.now,
  );
}

/** A representative hands his doctors over to one successor of several. */
export async function draftHandover(
  kernel: Kernel,
  ctx: ConsumerContext,
  told: { handoverNo: string; fromAgentId: string; toAgentId: string; reason: string; pairs: readonly Pair[]; effectiveOn: string },
): Promise<void> {
  if (told.pairs.length === 0) return;
  const standings = await standingOf(ctx.tx, told.pairs);
  // What he does not have here any more is nobody's to hand over.
  const held = told.pairs.filter((pair) => {
    const pairStanding = standings.get(pairKey(pair))!;
    return pairStanding.endDate === null && pairStanding.agentId === told.fromAgentId;
  });
  await draft(
    kernel,
    ctx,
    {
      changeType: 'TRANSFER',
      effectiveDate: told.effectiveOn,
      reasonCode: told.reason === 'LEAVE' ? 'AGENT_LEFT' : 'AREA_CHANGE',
      reason: `代表交接${told.handoverNo}`,
      sourceType: 'HANDOVER',
      sourceNo: told.handoverNo,
    },
    held.map(({ doctorId, productLineId }) => ({ doctorId, productLineId, fromAgentId: told.fromAgentId, toAgentId: told.toAgentId })),
  );
}

/** A doctor's channel belongs to another representative: for the lines that he serves the doctor may become his. */
export async function draftAttribution(
  kernel: Kernel,
  ctx: ConsumerContext,
  told: { doctorId: string; agentId: string; effectiveOn: string; seq: string },
): Promise<void> {
  const [agent] = await getAgents(ctx.tx, [told.agentId]);
  if (!agent || agent.status !== 'ACTIVE' || agent.productLineIds.length === 0) return;
  const pairs = agent.productLineIds.map((productLineId) => ({ doctorId: told.doctorId, productLineId }));
  const standings = await standingOf(ctx.tx, pairs);
  const current = (pair: Pair): string | null => {
    const pairStanding = standings.get(pairKey(pair))!;
    return pairStanding.relationId !== null && pairStanding.endDate === null ? pairStanding.agentId : null;
  };
  const about = {
    effectiveDate: told.effectiveOn,
    reason: '医生归属渠道变更',
    sourceType: 'ATTRIBUTION' as const,
    sourceNo: `GS${told.seq}`,
  };
  const free = pairs.filter((pair) => current(pair) === null);
  const held = pairs.filter((pair) => current(pair) !== null && current(pair) !== told.agentId);
  const toWish = (pair: Pair): Wish => ({ ...pair, fromAgentId: current(pair), toAgentId: told.agentId });
  // A doctor who has somebody is not given others by the way.
  if (held.length > 0) await draft(kernel, ctx, { ...about, changeType: 'REBIND', reasonCode: 'AREA_CHANGE' }, held.map(toWish));
  else if (free.length === pairs.length)
    await draft(kernel, ctx, { ...about, changeType: 'BIND', reasonCode: 'NEW_DOCTOR' }, free.map(toWish));
}
