import type { Db } from '../../../../kernel/server/context.ts';
import type { QualDetail } from '../../contract/calls/qual.ts';
import { own } from '../database.ts';
import type { QualPayload } from './payload.ts';

/** Other doctors who may be the same person: same identity or certificate number, same name and hospital, same name and birth date. */
export async function similarDoctors(db: Db, doctorId: string, { facts, certs }: QualPayload): Promise<QualDetail['similar']> {
  const hashes = certs.flatMap(({ noHash }) => noHash ?? []);
  const me = await own(db).selectFrom('doctorDoctor').select(['birthDate']).where('id', '=', doctorId).executeTakeFirst();
  const rows = await own(db)
    .selectFrom('doctorDoctor as d')
    .select([
      'd.id as doctorId',
      'd.doctorNo',
      'd.name',
      'd.hospitalId',
      'd.hospitalName',
      'd.birthDate',
      'd.idNoHash',
      'd.qualState',
      'd.accountState',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('doctorCert as c')
            .select('c.id')
            .whereRef('c.doctorId', '=', 'd.id')
            .where('c.noHash', 'in', hashes.length > 0 ? hashes : [''])
            .where('c.state', 'in', ['VALID', 'EXPIRED', 'REPLACED']),
        )
        .as('sameCert'),
    )
    .where('d.id', '<>', doctorId)
    .where((eb) =>
      eb.or([
        ...(facts.idNoHash === null ? [] : [eb('d.idNoHash', '=', facts.idNoHash)]),
        ...(facts.name === null ? [] : [eb('d.name', '=', facts.name)]),
        ...(hashes.length === 0
          ? []
          : [
              eb.exists(
                eb.selectFrom('doctorCert as c').select('c.id').whereRef('c.doctorId', '=', 'd.id').where('c.noHash', 'in', hashes),
              ),
            ]),
      ]),
    )
    .orderBy('d.id')
    .limit(20)
    .execute();
  return rows.flatMap(({ hospitalId, birthDate, idNoHash, sameCert, accountState, ...row }) => {
    const why = [
      ...(idNoHash !== null && idNoHash === facts.idNoHash ? ['身份证号相同'] : []),
      ...(sameCert ? ['证件编号相同'] : []),
      ...(row.name === facts.name && hospitalId !== null && hospitalId === facts.hospitalId ? ['同院同名'] : []),
      ...(row.name === facts.name && birthDate !== null && birthDate === me?.birthDate ? ['同名同生日'] : []),
    ];
    if (why.length === 0) return [];
    return [{ ...row, why: accountState === 'CANCELLED' ? [...why, '已注销'] : why }];
  });
}
