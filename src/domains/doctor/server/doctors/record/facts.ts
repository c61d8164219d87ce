import { ageOn } from '../../../contract/fields.ts';
import { acceptStates, titles } from '../../../contract/dictionaries.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { own } from '../../database.ts';
import { getDoctors, type DoctorBrief } from './read.ts';

type Fact = string | number | boolean | null;
const codes = {
  name: (doctor) => doctor.name,
  title: (doctor) => (doctor.titleCode === null ? null : titles.label(doctor.titleCode)),
  hospital: (doctor) => doctor.hospitalName,
  department: (doctor) => doctor.departmentName,
  accepting: (doctor) => acceptStates.label(doctor.acceptState),
  offUntil: (doctor) => doctor.offUntil,
  practiceOk: (doctor) => doctor.practiceOk,
} satisfies Record<string, (doctor: DoctorBrief) => Fact>;

const isCode = (code: string): code is keyof typeof codes => code in codes;

/** Values of facts about doctors or assistants, for texts that are filled in and rules that are judged; an unknown code is null. */
export async function factsFor(
  db: Db,
  whom: { doctorIds: readonly string[] } | { assistantIds: readonly string[] },
  wanted: readonly string[],
  today: Day,
): Promise<ReadonlyMap<string, Readonly<Record<string, Fact>>>> {
  if ('assistantIds' in whom) {
    const rows =
      whom.assistantIds.length === 0
        ? []
        : await own(db)
            .selectFrom('doctorAssistant')
            .select(['id', 'name', 'groupName', 'state'])
            .where('id', 'in', [...whom.assistantIds])
            .execute();
    return new Map(
      rows.map(({ id, name, groupName, state }) => [
        id,
        Object.fromEntries(
          wanted.map((code) => [
            code,
            code === 'name' ? name : code === 'group' ? groupName : code === 'onDuty' ? state === 'ON_DUTY' : null,
          ]),
        ),
      ]),
    );
  }
  const doctors = await getDoctors(db, whom.doctorIds);
  const births =
    wanted.includes('age') && doctors.length > 0
      ? await own(db)
          .selectFrom('doctorDoctor')
          .select(['id', 'birthDate'])
          .where(
            'id',
            'in',
            doctors.map(({ doctorId }) => doctorId),
          )
          .execute()
      : [];
  const ageOf = (doctorId: string) => {
    const birth = births.find(({ id }) => id === doctorId)?.birthDate;
    return birth ? ageOn(birth, today) : null;
  };
  return new Map(
    doctors.map((doctor) => [
      doctor.doctorId,
      Object.fromEntries(
        wanted.map((code): [string, Fact] => [code, code === 'age' ? ageOf(doctor.doctorId) : isCode(code) ? codes[code](doctor) : null]),
      ),
    ]),
  );
}
