import type { PersonBrief } from '../../contract/fields.ts';
import { genders, lifeStates } from '../../contract/dictionaries.ts';
import { patientMachine, realNameMachine } from '../../contract/states.ts';
import { Dict } from '#kernel/web/kit/values.tsx';

export const ageText = (age: number | null): string => (age === null ? '年龄不详' : `${age}岁`);
export const personLine = (person: Pick<PersonBrief, 'gender' | 'age' | 'patientNo'>): string =>
  `${genders.label(String(person.gender))} ${ageText(person.age)} ${person.patientNo}`;

/** State, proof and life, each only where it says something. */
export function PersonTags({ person }: { person: Pick<PersonBrief, 'state' | 'realNameState' | 'lifeState'> }) {
  return (
    <>
      {person.state !== 'ACTIVE' && <Dict of={patientMachine.dictionary} code={person.state} />}
      <Dict of={realNameMachine.dictionary} code={person.realNameState} />
      {person.lifeState === 'DECEASED' && <Dict of={lifeStates} code={person.lifeState} />}
    </>
  );
}

/** A person in lists and comparisons: name in full, the rest masked. */
export function PersonCard({ person, note }: { person: PersonBrief; note?: string }) {
  return (
    <div className="pa-person">
      <div className="pa-person-name">
        <b title={person.name}>{person.name}</b> <PersonTags person={person} />
      </div>
      <div className="kq-muted">
        {personLine(person)}
        {person.birthDate && `　${person.birthDate}`}
      </div>
      <div className="kq-muted">
        {person.mobileMasked ?? '无手机号'}　{person.idNoMasked ?? '无证件号'}
      </div>
      {note && <div className="pa-note">{note}</div>}
    </div>
  );
}
