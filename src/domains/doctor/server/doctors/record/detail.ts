import { sql } from 'kysely';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query, command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import { regionsOf, userBrief, regionText } from '#domains/identity/server/index.ts';
import { getHospitals } from '#domains/institution/server/index.ts';
import { queryDoctorDetail, revealDoctorField } from '../../../contract/calls/doctors.ts';
import type { DoctorDetail } from '../../../contract/calls/doctorDetail.ts';
import { directOf } from '../../../contract/qualFields.ts';
import { acceptMachine, accountMachine } from '../../../contract/states.ts';
import { doctorRecords } from '../../access.ts';
import { certsOf } from '../../certs/rows.ts';
import { own, ownTx } from '../../database.ts';
import { DOCTOR_TARGET, portraitOf } from '../entry/files.ts';
import { cardOf, ordersOf, returnedOf } from './detailParts.ts';
import { refuseField } from '#kernel/contract/errors.ts';

/** One doctor with everything around him. */
export const doctorDetail = (kernel: Kernel) =>
  query(queryDoctorDetail, async ({ doctorId }, ctx): Promise<DoctorDetail> => {
    const db = own(ctx.db);
    const row = await doctorRecords.get(ctx.db, ctx.staff, doctorId);
    const [named, practices, certs, applies, openings, binds, recommendations, attributions, trail] = await Promise.all([
      db
        .selectFrom('doctorRefCopy')
        .select(['kind', 'refId', 'name'])
        .where((eb) =>
          eb.or([
            eb.and([eb('kind', '=', 'DISEASE'), eb('refId', 'in', [...row.diseaseIds, '0'])]),
            eb.and([eb('kind', '=', 'MARK'), eb('refId', 'in', [...row.markIds, '0'])]),
          ]),
        )
        .orderBy('refId')
        .execute(),
      db
        .selectFrom('doctorPractice')
        .select(['hospitalId', 'isMain', 'validFrom', 'validTo'])
        .where('doctorId', '=', doctorId)
        .orderBy('isMain', 'desc')
        .orderBy('id')
        .execute(),
      certsOf(ctx.db, doctorId, ctx.today),
      db
        .selectFrom('doctorQualApply')
        .select(['id as applyId', 'applyNo', 'applyType', 'state', 'submittedAt', 'createdAt'])
        .where('doctorId', '=', doctorId)
        .orderBy('id', 'desc')
        .limit(50)
        .execute(),
      db
        .selectFrom('doctorServiceOpening as o')
        .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
        .select([
          'o.id as openingId',
          'o.itemId',
          'i.name',
          'i.itemType',
          'i.careKind',
          'o.priceFen',
          'o.dailyLimit',
          'o.state',
          'o.effectiveAt',
        ])
        .where('o.doctorId', '=', doctorId)
        .orderBy('o.id', 'desc')
        .limit(100)
        .execute(),
      db
        .selectFrom('doctorAssistantBind as b')
        .innerJoin('doctorAssistant as a', 'a.id', 'b.assistantId')
        .select(['b.assistantId', 'a.name', 'b.role', 'b.startedAt', 'b.endedAt', 'b.endReason'])
        .where('b.doctorId', '=', doctorId)
        .orderBy(sql`b.ended_at desc nulls first`)
        .orderBy('b.role', 'desc')
        .orderBy('b.id', 'desc')
        .limit(100)
        .execute(),
      db
        .selectFrom('doctorRecommendation')
        .select(['id', 'position', 'scopeKey', 'startAt', 'endAt', 'state', 'reason'])
        .where('doctorId', '=', doctorId)
        .orderBy('id', 'desc')
        .limit(50)
        .execute(),
      db
        .selectFrom('doctorAttribution')
        .select(['channelId', 'agentId', 'method', 'startedAt', 'endedAt'])
        .where('subjectType', '=', 'DOCTOR')
        .where('subjectId', '=', doctorId)
        .orderBy('startedAt', 'desc')
        .limit(50)
        .execute(),
      trailOf(ctx.db, DOCTOR_TARGET, doctorId),
    ]);
    const hospitals = await getHospitals(ctx.db, [
      ...new Set([...(row.hospitalId === null ? [] : [row.hospitalId]), ...practices.map(({ hospitalId }) => hospitalId)]),
    ]);
    const channels = await getChannels(
      ctx.db,
      attributions.flatMap(({ channelId }) => channelId ?? []),
    );
    const agents = await db
      .selectFrom('doctorRefCopy')
      .select(['refId', 'name'])
      .where('kind', '=', 'AGENT')
      .where('refId', 'in', ['0', ...attributions.flatMap(({ agentId }) => agentId ?? [])])
      .execute();
    const regions = await regionsOf(ctx.db, row.adcode === null ? [] : [row.adcode]);
    const [editor] = row.updatedBy === null ? [] : await userBrief(ctx.db, [row.updatedBy]);
    const namesOf = (kind: string) => named.filter((one) => one.kind === kind).map(({ refId, name }) => ({ id: refId, name }));
    return {
      doctorId,
      doctorNo: row.doctorNo,
      operatorId: row.operatorId,
      name: row.name,
      birthDate: row.birthDate,
      avatarFileId: row.avatarFileId,
      avatar: portraitOf(kernel, row.avatarFileId, ctx.now),
      mobile: row.mobileMasked,
      idNo: row.idNoMasked,
      hospitalId: row.hospitalId,
      hospitalName: row.hospitalName,
      hospitalLevel: hospitals.find(({ id }) => id === row.hospitalId)?.level ?? null,
      hospitalApplyId: row.hospitalApplyId,
      hospitalApplyName: row.hospitalApplyId === null ? null : row.hospitalName,
      departmentId: row.departmentId,
      departmentName: row.departmentName,
      standardDeptCode: row.standardDeptCode,
      ...directOf(row),
      adcode: row.adcode,
      region: row.adcode === null ? '' : regionText(regions, row.adcode),
      specialty: row.specialty,
      intro: row.intro,
      diseases: namesOf('DISEASE'),
      marks: namesOf('MARK'),
      qualReason: row.qualReason,
      submittedAt: row.submittedAt,
      practiceOk: row.practiceOk,
      offFrom: row.offFrom,
      offUntil: row.offUntil,
      responseMedianMin: row.responseMedianMin,
      ratingBp: row.ratingBp,
      servedCount: row.servedCount,
      unsettledFen: Number(row.unsettledFen),
      version: row.version,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      updatedBy: editor?.displayName ?? null,
      // CHECK constraints of the tables hold the codes to the dictionaries.
      gender: row.gender,
      sourceType: row.sourceType,
      accountState: row.accountState,
      qualState: row.qualState,
      acceptState: row.acceptState,
      practices: practices.map((practice) => ({
        ...practice,
        hospitalName: hospitals.find(({ id }) => id === practice.hospitalId)?.name ?? '',
      })),
      certs,
      returned: await returnedOf(ctx.db, doctorId),
      applies: applies,
      openings: openings.map((opening) => ({
        ...opening,
        priceFen: Number(opening.priceFen),
      })),
      binds: binds,
      recommendations,
      card: await cardOf(ctx.db, doctorId),
      attributions: attributions.map(({ agentId, ...row_ }) => ({
        ...row_,
        channelName: channels.find(({ id }) => id === row_.channelId)?.name ?? null,
        agentName: agents.find(({ refId }) => refId === agentId)?.name ?? null,
      })),
      orders: await ordersOf(ctx.db, doctorId),
      allowedActions: accountMachine.allowed(row.accountState, (permission) => ctx.has(permission)),
      acceptActions: row.accountState === 'CANCELLED' ? [] : acceptMachine.allowed(row.acceptState, (permission) => ctx.has(permission)),
      trail,
    };
  });

/** The full value of one field; the operation log names whose. */
export const reveal = (kernel: Kernel): Handler =>
  command(revealDoctorField, async ({ doctorId, field, certId }, ctx) => {
    const doctor = await doctorRecords.lock(ctx.tx, ctx.staff, doctorId);
    ctx.target({ type: DOCTOR_TARGET, id: doctorId, no: doctor.doctorNo });
    if (field === 'certNo') {
      const cert =
        certId === undefined
          ? undefined
          : await ownTx(ctx.tx)
              .selectFrom('doctorCert')
              .select('certNoCipher')
              .where('id', '=', certId)
              .where('doctorId', '=', doctorId)
              .executeTakeFirst();
      if (!cert) throw refuseField('certId', '证件不存在');
      return { value: cert.certNoCipher === null ? null : kernel.secrets.decrypt(cert.certNoCipher) };
    }
    const cipher = field === 'mobile' ? doctor.mobileCipher : doctor.idNoCipher;
    return { value: cipher === null ? null : kernel.secrets.decrypt(cipher) };
  });
