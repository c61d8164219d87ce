import { userChanged } from '#events/identity.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeAssistants } from './demo.ts';
import { registerAssistantAvatars } from './files.ts';
import { assistantHandlers } from './handlers.ts';
import { assistantJobs } from './jobs.ts';
import { assistantExport, assistantList } from './list.ts';
import { onStaffUserChanged } from './state.ts';

/** Assistants: who serves whose doctors, and how much each has to do. */
export const assistantsModule: FeatureModule = {
  handlers: (kernel) => {
    registerAssistantAvatars();
    return assistantHandlers(kernel, assistantList(kernel.secrets));
  },
  jobs: assistantJobs,
  exports: ({ secrets }) => [assistantExport(secrets, assistantList(secrets))],
  consumers: [consumer('doctor', userChanged, ({ payload }, ctx) => onStaffUserChanged(ctx.kernel, asSystem(ctx, ctx), payload))],
  demo: writeAssistants,
  invariants: [
    [
      '主医助多于一名',
      `
        select count(*)::int as n
          from (select doctor_id from doctor_assistant_bind where role = 'PRIMARY' and ended_at is null group by 1 having count(*) > 1) x`,
    ],
    [
      '停用的医助仍有绑定',
      `
        select count(*)::int as n
          from doctor_assistant_bind b
          join doctor_assistant a on a.id = b.assistant_id
          where b.ended_at is null and a.state = 'DISABLED'`,
    ],
    [
      '医助进行中数与明细不符',
      `
        select count(*)::int as n
          from doctor_assistant a
          where a.active_count <> (select count(*) from doctor_assistant_load l where l.assistant_id = a.id and l.open)`,
    ],
  ],
};
