import type { DeskSource } from '../../contract/dictionaries.ts';
import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';
import { DEFAULT_DESK } from './defaultDesk.ts';
import { openGroup } from '../groups/open.ts';
import { sayJob, tip } from '../groups/say.ts';
import type { GroupRow } from '../inquiries/rows.ts';
import { patientLabels } from '../partners.ts';
import { attend } from '../queue/attend.ts';

export interface DeskGuest {
  patientId: string;
  operatorId: string;
  source: { type: DeskSource; id: string } | null;
}

/** The enabled desk that expects this source, else the default one. */
async function deskFor(ctx: Deed, source: DeskGuest['source']) {
  const tx = ownTx(ctx.tx);
  const named =
    source === null
      ? undefined
      : await tx
          .selectFrom('consultationDeskSource as s')
          .innerJoin('consultationGuidanceDesk as k', 'k.id', 's.deskId')
          .selectAll('k')
          .where('s.sourceType', '=', source.type)
          .where('s.sourceId', '=', source.id)
          .where('s.enabled', '=', true)
          .executeTakeFirst();
  return named ?? tx.selectFrom('consultationGuidanceDesk').selectAll().where('deskCode', '=', DEFAULT_DESK).executeTakeFirst();
}

/** A patient without a doctor is received at a desk; somebody of its pool answers for the group when there is a place. */
export async function openDeskGroup(ctx: Deed, guest: DeskGuest): Promise<GroupRow | null> {
  const desk = await deskFor(ctx, guest.source);
  const [label] = await patientLabels(ctx.tx, [guest.patientId]);
  if (!desk || !label) return null;
  const group = await openGroup(ctx, {
    patient: { patientId: guest.patientId, operatorId: guest.operatorId, name: label.name },
    source: 'CODE',
    desk: { deskId: desk.id, name: desk.deskName, hours: { from: desk.dutyFrom, to: desk.dutyTo, weekdays: desk.weekdays } },
  });
  if (desk.welcomeText !== '') await ctx.enqueue(sayJob, tip(group.groupId, `welcome:${ctx.today}`, desk.welcomeText));
  return attend(ctx, group.groupId, 0);
}
