import { send } from '#kernel/web/http/client.ts';
import type { PatientCard } from '#kernel/web/kit/patientPlaces.ts';
import { findEhrMedicineSuggested } from '#domains/patient/contract/calls/panel.ts';
import { modules, type ModuleCode, type ModuleRow } from '#domains/patient/contract/modules.ts';
import { cardPayload } from '../../../contract/im/cards.ts';
import type { CustomPayload } from '../../../contract/im/types.ts';

const PAGE_SIZE = 10;
const MOST_PAGES = 20;
const MODULE: Readonly<Record<PatientCard['kind'], ModuleCode>> = {
  SUGGESTION: 'modular002',
  ORDER: 'modular003',
  INSPECTION: 'modular004',
};

export const moduleInput = (moduleCode: ModuleCode, suffererOperatorId: string, pageNo = 1) => ({
  pageNo,
  pageSize: PAGE_SIZE,
  orderBy: modules[moduleCode].orderBy,
  moduleCode,
  paragraphCode: '',
  associatedId: suffererOperatorId,
  pageCode: 'IM_PANEL',
  preciseKeyValue: { status: '' },
});

/** A card of the chat for one row of the record. */
export function payloadOf(row: ModuleRow): CustomPayload | null {
  switch (row.moduleCode) {
    case 'modular002':
      return cardPayload<'medicine_suggestion'>({
        businessID: 'medicine_suggestion',
        v: 1,
        suggestNo: row.suggestNo,
        doctorName: row.doctorName,
        status: Number(row.status),
        medicines: row.medicines.map(({ medicineName, spec, dose, frequency, days, quantity, unit }) => ({
          medicineName,
          spec,
          dose,
          frequency,
          days,
          quantity,
          unit,
        })),
      });
    case 'modular003':
      return cardPayload<'order_card'>({
        businessID: 'order_card',
        v: 1,
        orderId: row.orderId,
        orderNo: row.orderNo,
        goodsSummary: row.lines.map(({ medicineName, qty }) => `${medicineName}×${qty}`).join('、'),
        payableAmount: row.payFen,
        status: row.statusCode,
      });
    case 'modular004':
      return cardPayload<'inspection_request'>({
        businessID: 'inspection_request',
        v: 1,
        requestId: row.requestId ?? row.id,
        items: [{ itemName: row.itemName }],
        dueOn: row.dueOn,
      });
    default:
      return null;
  }
}

/** The row as it stands now, as a card; null when it is there no more. */
export async function cardOfRecord(card: PatientCard, suffererOperatorId: string): Promise<CustomPayload | null> {
  for (let pageNo = 1; pageNo <= MOST_PAGES; pageNo += 1) {
    const { rows } = await send(findEhrMedicineSuggested, moduleInput(MODULE[card.kind], suffererOperatorId, pageNo), { quiet: true });
    const found = rows.find(
      (row) => row.id === card.recordId || ('orderId' in row && row.orderId === card.recordId && card.kind === 'ORDER'),
    );
    if (found) return payloadOf(found);
    if (rows.length < PAGE_SIZE) return null;
  }
  return null;
}
