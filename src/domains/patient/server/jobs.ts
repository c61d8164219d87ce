import { asSystem } from '#kernel/server/command/acting.ts';
import { sql } from 'kysely';
import { dayOf, plusDays } from '#kernel/contract/time.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { patientPermissions } from '../contract/permissions.ts';
import { lapseJob } from './consents/handlers.ts';
import { checkInvariants } from './invariants.ts';
import type { Verifier } from './realName/verify.ts';
import { expireSuggestions } from './suggestions/suggestions.ts';

const CHUNK = 200;
const REMIND_DAYS = 3;

const expireJob = job({
  name: 'patient.expireSuggestions',
  label: '用药建议到期',
  cron: '5 0 * * *',
  expireSeconds: 600,
  async run(_data, ctx) {
    while (!ctx.signal.aborted) if ((await ctx.transaction((writing) => expireSuggestions(asSystem(writing, ctx), CHUNK))) < CHUNK) return;
  },
});

/** Requests whose legal term ends within days. */
const remindJob = job({
  name: 'patient.remindPrivacy',
  label: '隐私请求到期提醒',
  cron: '30 8 * * *',
  async run(_data, ctx) {
    const today = dayOf(ctx.now);
    const { rows } = await sql<{
      id: string;
      requestNo: string;
      dueAt: string;
    }>`
      select id, request_no, due_at
        from patient_privacy_request
        where state in ('OPEN', 'DOING') and due_at <= ${plusDays(today, REMIND_DAYS)}::date`.execute(ctx.db);
    await ctx.transaction(async ({ tx }) => {
      for (const { id, requestNo, dueAt } of rows) {
        await ctx.kernel.ports.notices.addAlert(
          tx,
          {
            businessKey: `patient.privacy:${id}:${today}`,
            title: `隐私请求${requestNo}须在${dueAt}前办结`,
            permission: patientPermissions['privacy.handle'].code,
          },
          ctx.now,
        );
      }
    });
  },
});

export const patientJobs = (verifier: Verifier): readonly JobDeclaration<never>[] => [
  expireJob,
  remindJob,
  lapseJob,
  checkInvariants,
  verifier.job as JobDeclaration<never>,
];
