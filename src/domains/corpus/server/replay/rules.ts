import { dayOf, plusDays, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { restDaysBetween } from '#domains/identity/server/index.ts';
import type { PlayRules } from '../../contract/engine/playGate.ts';
import { switchScope } from '../../contract/engine/states.ts';
import { avoiding } from '../../contract/plan.ts';
import { own } from '../database.ts';
import { sendables } from '../engine/materials.ts';
import { engineSetting } from '../engine/setting.ts';

/** A plan is at most a year long, and began at most as long ago. */
const CALENDAR_DAYS = 400;

/** What holds for everybody while a play lasts: calendar, settings as they are, switches as they were, materials as they are. */
export async function playRules(
  db: Db,
  span: { from: Instant; to: Instant },
  materialIds: readonly string[],
  more: Pick<PlayRules, 'prescribed' | 'exclusive'>,
): Promise<PlayRules> {
  const first = plusDays(dayOf(span.from), -CALENDAR_DAYS);
  const workday = avoiding(new Set(await restDaysBetween(db, first, plusDays(dayOf(span.to), CALENDAR_DAYS))));
  const switches = await own(db)
    .selectFrom('corpusSendSwitch')
    .select(['scopeType', 'scopeId', 'createdAt', 'endedAt', 'until'])
    .where('createdAt', '<', span.to)
    .where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>', span.from)]))
    .execute();
  const { capPerDay, cap7Days, sameMaterialGapDays } = await engineSetting(db);
  const everyDay = (day: Day): Day => day;
  return {
    ...span,
    ...more,
    usableDay: (mode) => (mode === 'WORKDAY' ? workday : everyDay),
    setting: { capPerDay, cap7Days, sameMaterialGapDays },
    materials: await sendables(db, materialIds),
    switches: (subject, at) => {
      const ids = {
        ENGINE: '',
        SCENE: subject.sceneId,
        DOCTOR: subject.doctorId,
        CONVERSATION: subject.conversationId,
        PATIENT: subject.patientId,
      };
      return switches
        .filter(
          ({ scopeType, scopeId, createdAt, endedAt, until }) =>
            createdAt <= at && (endedAt === null || endedAt > at) && (until === null || until > at) && ids[scopeType] === scopeId,
        )
        .map(({ scopeType }) => switchScope.label(scopeType));
    },
  };
}
