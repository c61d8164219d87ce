import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { CardField } from '../../contract/calls/cards.ts';
import { titles } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';

export type Template = 'BLUE' | 'GREEN' | 'GOLD';
export interface Looks {
  template: Template;
  headline: string;
  showFields: readonly CardField[];
}

/** All that is printed on a card: nothing else changes how it looks. */
export interface CardFacts extends Looks {
  name: string;
  title: string;
  hospital: string;
  department: string;
  diseases: readonly string[];
  specialty: string;
  intro: string;
  avatarFileId: string | null;
  link: string;
}

interface DoctorFacts {
  doctorNo: string;
  name: string;
  titleCode: string | null;
  hospitalName: string | null;
  departmentName: string | null;
  specialty: string;
  intro: string;
  avatarFileId: string | null;
  channelId: string | null;
  practiceOk: boolean;
  accountState: string;
  diseases: string[];
}

/** What a card may print of a doctor; null when there is no such doctor. */
export async function doctorFacts(db: Db | Tx, doctorId: string): Promise<DoctorFacts | null> {
  const row = await own(db)
    .selectFrom('doctorDoctor as d')
    .select([
      'd.doctorNo',
      'd.name',
      'd.titleCode',
      'd.hospitalName',
      'd.departmentName',
      'd.specialty',
      'd.intro',
      'd.avatarFileId',
      'd.channelId',
      'd.practiceOk',
      'd.accountState',
    ])
    .select(
      sql<string[]>`
        array(
          select c.name
            from doctor_ref_copy c
            where c.kind = 'DISEASE' and c.ref_id = any(d.disease_ids)
            order by array_position(d.disease_ids, c.ref_id)
        )`.as('diseases'),
    )
    .where('d.id', '=', doctorId)
    .executeTakeFirst();
  return row ?? null;
}

/** A fact that is not shown leaves no trace, so that its change does not outdate the card. */
export function cardFacts(doctor: DoctorFacts, looks: Looks, link: string): CardFacts {
  const shows = (field: CardField) => looks.showFields.includes(field);
  return {
    template: looks.template,
    headline: looks.headline,
    showFields: looks.showFields.toSorted(),
    name: doctor.name,
    title: doctor.titleCode === null ? '' : titles.label(doctor.titleCode),
    hospital: doctor.hospitalName ?? '',
    link,
    department: shows('DEPARTMENT') ? (doctor.departmentName ?? '') : '',
    diseases: shows('DISEASES') ? doctor.diseases.slice(0, 6) : [],
    specialty: shows('SPECIALTY') ? doctor.specialty : '',
    intro: shows('INTRO') ? doctor.intro : '',
    avatarFileId: shows('AVATAR') ? doctor.avatarFileId : null,
  };
}

export const hashOf = (facts: CardFacts): string => createHash('sha256').update(JSON.stringify(facts)).digest('hex');
