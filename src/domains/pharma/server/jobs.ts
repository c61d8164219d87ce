import { everyone } from '#kernel/server/auth/viewer.ts';
import { dayOf, hours, plusDays, plusMs, type Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { pharmaPermissions } from '../contract/permissions.ts';
import { adverseReminders } from '../contract/rules/adverseDue.ts';
import { lineMachine, medicineMachine } from '../contract/states.ts';
import { reportKey } from './adverse/receiveReport.ts';
import { lineRecords, medicineRecords } from './access.ts';
import { publishAgent } from './agents/agentEvents.ts';
import { own, ownTx } from './database.ts';
import { recountHandover, remindOfHandover, startHandover } from './handover/runHandover.ts';
import { findFaults } from './invariants.ts';
import { stateByDate } from './lines/lineRows.ts';
import { publishMedicine } from './medicines/medicineEvents.ts';

const FILING_DAYS = [60, 30, 7];

/** Lines begin and end by their dates. */
async function changeLineStates(job: JobContext, today: Day): Promise<void> {
  const due = await own(job.db)
    .selectFrom('pharmaProductLine')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'DRAFT'), eb('startDate', '<=', today)]),
        eb.and([eb('state', '=', 'ACTIVE'), eb('endDate', '<', today)]),
      ]),
    )
    .execute();
  for (const { id } of due) {
    await job.transaction(async (writing) => {
      const line = await lineRecords.lock(writing.tx, everyone, id);
      const state = stateByDate(line, today);
      if (state === line.state || line.state === 'STOPPED') return;
      await moveState(asSystem(writing, job), lineMachine, {
        targetType: 'pharma.productLine',
        targetId: id,
        targetNo: line.lineNo,
        action: state === 'EXPIRED' ? 'expire' : 'begin',
        from: line.state,
      });
      await ownTx(writing.tx)
        .updateTable('pharmaProductLine')
        .set((eb) => ({ state, version: eb('version', '+', 1), updatedAt: job.now }))
        .where('id', '=', id)
        .execute();
    });
  }
}

/** Nothing is sold whose approval is over. */
async function takeOffExpired(job: JobContext, today: Day): Promise<void> {
  const expired = await own(job.db)
    .selectFrom('pharmaMedicine')
    .select('id')
    .where('state', '=', 'ON')
    .where('approvalValidTo', '<', today)
    .execute();
  for (const { id } of expired) {
    await job.transaction(async (writing) => {
      const medicine = await medicineRecords.lock(writing.tx, everyone, id);
      if (medicine.state !== 'ON' || medicine.approvalValidTo === null || medicine.approvalValidTo >= today) return;
      const state = await moveState(asSystem(writing, job), medicineMachine, {
        targetType: 'pharma.medicine',
        targetId: id,
        targetNo: medicine.medicineNo,
        action: 'expire',
        from: 'ON',
        opinion: `批准文号已于${medicine.approvalValidTo}到期，系统自动下架`,
      });
      await ownTx(writing.tx)
        .updateTable('pharmaMedicine')
        .set((eb) => ({ state, version: eb('version', '+', 1), updatedAt: job.now }))
        .where('id', '=', id)
        .execute();
      await publishMedicine(writing, id, today);
      await job.kernel.ports.notices.addAlert(
        writing.tx,
        {
          businessKey: `pharma.expired:${id}:${today}`,
          title: `药品${medicine.genericName}批准文号到期，已自动下架`,
          link: `/medicineManagementTable?medicineId=${id}`,
          permission: pharmaPermissions['medicine.edit'].code,
        },
        job.now,
      );
    });
  }
}

/** Other domains hear of prices that begin today. */
async function publishNewPrices(job: JobContext, today: Day): Promise<void> {
  const rows = await own(job.db)
    .selectFrom('pharmaSkuPrice as p')
    .innerJoin('pharmaSku as s', 's.id', 'p.skuId')
    .innerJoin('pharmaMedicine as m', 'm.id', 's.medicineId')
    .select('m.id')
    .distinct()
    .where('m.state', '=', 'ON')
    .where('p.priceType', '=', 'MARKET')
    .where('p.revokedAt', 'is', null)
    .where('p.effectiveFrom', '=', today)
    .where('p.createdAt', '<', `${today}T00:00:00+08:00`)
    .execute();
  for (const { id } of rows) await job.transaction((writing) => publishMedicine(writing, id, today));
}

/** Filings that end in 60, 30 or 7 days; one that ended yesterday closes the person for new channels. */
async function remindOfFilings(job: JobContext, today: Day): Promise<void> {
  const ends = [...FILING_DAYS.map((n) => plusDays(today, n)), plusDays(today, -1)];
  const agents = await own(job.db)
    .selectFrom('pharmaAgent')
    .select(['id', 'name', 'agentNo', 'filingValidTo'])
    .where('filingValidTo', 'in', ends)
    .where('rank', 'in', ['DM', 'MR'])
    .where('state', 'in', ['ACTIVE', 'FROZEN', 'HANDOVER'])
    .execute();
  for (const agent of agents) {
    await job.transaction(async (writing) => {
      if (agent.filingValidTo! < today) await publishAgent(writing, agent.id, today);
      await job.kernel.ports.notices.addAlert(
        writing.tx,
        {
          businessKey: `pharma.filing:${agent.id}:${agent.filingValidTo}:${today}`,
          title: `代表${agent.name}（${agent.agentNo}）备案${agent.filingValidTo! < today ? '已过期' : `将于${agent.filingValidTo}到期`}`,
          link: `/agentDetail?agentId=${agent.id}`,
          permission: pharmaPermissions['agent.edit'].code,
        },
        job.now,
      );
    });
  }
}

async function remindOfReports(job: JobContext): Promise<void> {
  const open = await own(job.db)
    .selectFrom('pharmaAdverseReport')
    .select(['id', 'reportNo', 'receivedAt', 'dueAt', 'reminded'])
    .where('state', '=', 'RECEIVED')
    .execute();
  for (const report of open) {
    const due = adverseReminders(report.receivedAt, report.dueAt).filter((at) => at <= job.now).length;
    if (due <= report.reminded) continue;
    await job.transaction(async (writing) => {
      await job.kernel.ports.notices.addAlert(
        writing.tx,
        {
          businessKey: `${reportKey(report.id)}:${due}`,
          title: `不良反应报告${report.reportNo}转报期限将至`,
          link: '/pharmaceuticalEnterprises?tab=adverse',
          permission: pharmaPermissions['pv.edit'].code,
        },
        job.now,
      );
      await ownTx(writing.tx).updateTable('pharmaAdverseReport').set({ reminded: due }).where('id', '=', report.id).execute();
    });
  }
}

async function runHandovers(job: JobContext, today: Day): Promise<void> {
  const open = await own(job.db)
    .selectFrom('pharmaAgentHandover')
    .select(['id', 'state', 'startedAt'])
    .where((eb) => eb.or([eb('state', '=', 'RUNNING'), eb.and([eb('state', '=', 'WAITING'), eb('effectiveOn', '<=', today)])]))
    .execute();
  for (const { id, state, startedAt } of open) {
    await job.transaction(async (writing) => {
      const ctx = asSystem(writing, job);
      if (state === 'WAITING') await startHandover(ctx, id);
      else await recountHandover(ctx, id);
      if (startedAt !== null && startedAt <= plusMs(job.now, -hours(24))) await remindOfHandover(ctx, job.kernel, id);
    });
  }
}

export const pharmaJobs = [
  job({
    name: 'pharma.runHandovers',
    label: '离岗交接生效与进度',
    cron: '10 * * * *',
    run: (_data, ctx) => runHandovers(ctx, dayOf(ctx.now)),
  }),
  job({
    name: 'pharma.daily',
    label: '产品线、批准文号、价格与备案到期处理',
    cron: '15 0 * * *',
    async run(_data, ctx) {
      const today = dayOf(ctx.now);
      await changeLineStates(ctx, today);
      await takeOffExpired(ctx, today);
      await publishNewPrices(ctx, today);
      await remindOfFilings(ctx, today);
    },
  }),
  job({ name: 'pharma.remindReports', label: '不良反应转报提醒', cron: '5 * * * *', run: (_data, ctx) => remindOfReports(ctx) }),
  job({
    name: 'pharma.checkInvariants',
    label: '药品域数据核对',
    cron: '40 3 * * *',
    async run(_data, ctx) {
      const faults = await findFaults(ctx.db, dayOf(ctx.now));
      if (faults.length > 0) throw new Error(faults.join('; '));
    },
  }),
] as const;
