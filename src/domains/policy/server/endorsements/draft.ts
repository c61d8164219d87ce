import { mask } from '#kernel/contract/masking.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { EndorsementDraft } from '../../contract/calls/endorsements.ts';
import type { EndorsementRecord } from '../access.ts';
import { holderColumns, idNoColumns } from '../sensitive.ts';
import { namesOf } from './persons.ts';
import type { Change } from './prepared.ts';

/** What was entered of an endorsement. */
export const changeOf = (secrets: Secrets, row: Pick<EndorsementRecord, 'payloadCipher'>): Change =>
  row.payloadCipher === null ? {} : (JSON.parse(secrets.decrypt(row.payloadCipher)) as Change);

const sameOne = ([one]: readonly string[] = [], [other]: readonly string[] = []) => one === other;

/** What is entered now, with the numbers that were entered before and not again. */
export function continued(kept: Change, given: Change): Change {
  const { person, holder } = given;
  // of somebody else's correction nothing stays
  const before = sameOne(kept.insuredItemIds, given.insuredItemIds) ? kept.person : undefined;
  return {
    ...given,
    ...(person && {
      person: {
        ...person,
        idNo: person.idNo === undefined ? before?.idNo : person.idNo,
        mobile: person.mobile === undefined ? before?.mobile : person.mobile,
        adcode: person.adcode === undefined ? before?.adcode : person.adcode,
        socialAdcode: person.socialAdcode === undefined ? before?.socialAdcode : person.socialAdcode,
      },
    }),
    ...(holder && {
      holder: {
        ...holder,
        holderIdNo: holder.holderIdNo === undefined ? kept.holder?.holderIdNo : holder.holderIdNo,
        holderContact: holder.holderContact === undefined ? kept.holder?.holderContact : holder.holderContact,
      },
    }),
  };
}

/** The same for the form: numbers masked. */
export async function draftOf(db: Db | Tx, secrets: Secrets, row: Pick<EndorsementRecord, 'payloadCipher'>): Promise<EndorsementDraft> {
  const { insuredItemIds = [], planCode = null, newEnd = null, person, holder } = changeOf(secrets, row);
  const masked = holder && holderColumns(secrets, holder);
  const names = await namesOf(db, insuredItemIds);
  return {
    persons: insuredItemIds.map((id) => ({ id, name: names.get(id) ?? '' })),
    planCode,
    newEnd,
    person: person
      ? {
          name: person.name,
          idType: person.idType,
          idNo: idNoColumns(secrets, person.idNo).idNoMasked,
          gender: person.gender,
          birthDate: person.birthDate,
          mobile: person.mobile ? mask('mobile', person.mobile) : null,
          employeeNo: person.employeeNo ?? null,
          department: person.department ?? null,
          adcode: person.adcode ?? null,
          hasSocial: person.hasSocial,
          socialAdcode: person.socialAdcode ?? null,
          relation: person.relation,
          mainInsuredItemId: person.mainInsuredItemId ?? null,
          preExistingIcd: [...person.preExistingIcd],
        }
      : null,
    holder:
      holder && masked
        ? {
            holderType: holder.holderType,
            holderName: holder.holderName,
            holderIdNo: masked.holderIdNoMasked,
            holderContact: masked.holderContactMasked,
          }
        : null,
  };
}
