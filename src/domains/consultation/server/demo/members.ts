import type { DemoGroup } from './groups.ts';
import { isPersonal, type Talk } from './line.ts';
import { assistantUser, type DemoAssistant, type Stage } from './stage.ts';
import type { Stored } from './store.ts';

/** Far behind: what the first assistant has not read of the long conversation. */
const UNREAD = 240;

/** Patient, doctor, the doctor's primary, who answers for it and who helps; and how far each has read. */
export function membersOf({ assistants, binds }: Stage, group: DemoGroup, first: DemoAssistant): Stored['members'] {
  const { lines, doctorOperatorId, operatorId, owner, helpers, last, workState } = group;
  const patient = `P${operatorId}`;
  const end = lines.length;
  const unanswered = lines.length - 1 - lines.findLastIndex((line) => isPersonal(line) && line.sender !== patient);
  const primary =
    group.doctorId === null
      ? undefined
      : assistants.find(({ assistantId }) =>
          (binds.get(group.doctorId!) ?? []).some((bind) => bind.role === 'PRIMARY' && bind.assistantId === assistantId),
        );
  const members: Stored['members'] = [{ imUserId: patient, readSeq: end, rings: true, helps: false }];
  if (doctorOperatorId !== null)
    members.push({ imUserId: `D${doctorOperatorId}`, readSeq: Math.max(0, end - unanswered), rings: true, helps: false });
  const serving = owner ?? (workState === 'QUEUED' ? undefined : last);
  for (const assistant of new Set([serving, ...helpers, primary])) {
    if (assistant === undefined) continue;
    const read =
      lines.length > 2_000 && assistant === first
        ? end - UNREAD
        : assistant === serving
          ? end - unanswered
          : Math.max(0, end - 4 - (Number(assistant.assistantId) % 9));
    members.push({
      imUserId: assistantUser(assistant),
      readSeq: Math.max(0, read),
      rings: assistant === owner || helpers.includes(assistant),
      helps: helpers.includes(assistant) && assistant !== primary,
    });
  }
  return members;
}

export const singleMembers = ({ lines, low, high }: Talk & { low: string; high: string }): Stored['members'] => [
  { imUserId: low, readSeq: lines.length - (lines.at(-1)?.sender === high ? 1 : 0), rings: true, helps: false },
  { imUserId: high, readSeq: lines.length, rings: true, helps: false },
];
