import { days, dayOf, plusMs } from '#kernel/contract/time.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addInspection, addSuggestion, resolveRealName } from '#domains/patient/server/index.ts';
import { searchMedicines } from '#domains/pharma/server/index.ts';
import { addMySuggestion, queryMyMedicines, uploadInspection } from '../../contract/calls/participants.ts';
import { inquiryOfGroup } from '../inquiries/facts.ts';
import { requireMine, mineDeed, participantOf, uploaderOf } from './enter.ts';
import { prescribable } from './others.ts';

const VALID_DAYS = 30;
const FOUND = 20;

/** What a doctor and a patient put into the patient's record through the chat; patient's own rules and refusals apply. */
export const treatHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryMyMedicines, async ({ groupId, keyword }, ctx) => {
    await requireMine(ctx.db, ctx, groupId, 'DOCTOR');
    return (await searchMedicines(ctx.db, keyword, FOUND)).map(({ medicineId, genericName, brandName, spec, rxRequired, unit }) => ({
      medicineId,
      name: brandName === null ? genericName : `${brandName} ${genericName}`,
      spec,
      isRx: rxRequired,
      unit,
    }));
  }),
  command(addMySuggestion, async ({ groupId, medicines, note, confirmed }, ctx) => {
    const mine = await requireMine(ctx.tx, ctx, groupId, 'DOCTOR');
    const inquiry = await inquiryOfGroup(ctx.tx, groupId);
    const catalogue = await prescribable(
      ctx.tx,
      medicines.map(({ medicineId }) => medicineId),
    );
    const doctorId = mine.doctorId ?? '0';
    const { required } = await resolveRealName(
      ctx.tx,
      { scene: 'PRESCRIBE', itemId: inquiry?.itemId ?? '0', doctorId, floor: null },
      ctx.now,
    );
    const listed = medicines.map((taken) => {
      const { ingredients: _, ...facts } = catalogue.get(taken.medicineId)!;
      return { ...facts, ...taken };
    });
    const { suggestNo } = await addSuggestion(mineDeed(kernel, ctx, mine), {
      patientId: inquiry?.patientId ?? mine.patientId,
      doctorId,
      doctorName: mine.nick,
      groupId,
      serverId: inquiry?.id ?? null,
      validUntil: dayOf(plusMs(ctx.now, days(VALID_DAYS))),
      note: note ?? '',
      medicines: listed,
      byDoctor: true,
      realNameRequired: required,
      ingredients: Object.fromEntries([...catalogue.values()].map(({ medicineId, ingredients }) => [medicineId, ingredients])),
      confirmed,
      userId: null,
    });
    return { suggestNo, doctorName: mine.nick, medicines: listed.map(({ isRx: _, ...rest }) => rest) };
  }),
  command(uploadInspection, async ({ groupId, requestId, kind, itemName, inspectionTime, fileIds }, ctx) => {
    const mine = await requireMine(ctx.tx, ctx, groupId, 'PATIENT');
    const inquiry = await inquiryOfGroup(ctx.tx, groupId);
    const { id } = await addInspection(kernel, mineDeed(kernel, ctx, mine), {
      patientId: inquiry?.patientId ?? mine.patientId,
      uploaderId: uploaderOf(participantOf(ctx)),
      kind,
      itemName,
      hospitalName: '',
      inspectionTime,
      conclusion: '',
      fileIds,
      source: 'PATIENT',
      indicators: [],
      ...(requestId !== undefined && /^\d+$/.test(requestId) ? { inspectionId: requestId } : {}),
    });
    return { inspectionId: id };
  }),
];
