import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { query } from '#kernel/server/handler.ts';
import { queryMedicineByApprovalNo, queryMedicineCounts, queryMedicineDetail } from '../../contract/calls/medicines.ts';
import { queryDrugSelectOptions } from '../../contract/calls/options.ts';
import { attachments } from '../attachments.ts';
import { own } from '../database.ts';
import { medicineImporter } from '../imports/medicineImporter.ts';
import { drugOptions } from '../options.ts';
import { medicineExport, medicineList } from './list.ts';
import { changeState, moveCategoryOfMedicines, submitDraft } from './medicineHandlers.ts';
import { countMedicines, medicineByApprovalNo, medicineDetail } from './medicineReads.ts';
import { addMedicineDraft, copyMedicineDraft, modifyMedicineFacts, removeMedicine } from './saveMedicine.ts';

export function medicinesModule(kernel: Kernel): FeatureModule {
  const list = medicineList(kernel);
  return {
    handlers: [
      list.handler,
      query(queryMedicineCounts, (_input, { db }) => countMedicines(own(db))),
      query(queryMedicineByApprovalNo, ({ approvalNo }, { db }) => medicineByApprovalNo(own(db), approvalNo)),
      query(queryMedicineDetail, ({ medicineId }, { db, today }) => medicineDetail(db, medicineId, today)),
      query(queryDrugSelectOptions, (input, { db, today }) => drugOptions(own(db), input, today)),
      addMedicineDraft(attachments),
      modifyMedicineFacts(attachments),
      copyMedicineDraft,
      removeMedicine,
      submitDraft,
      changeState,
      moveCategoryOfMedicines,
    ],
    exports: [medicineExport(list)],
    importers: [medicineImporter],
  };
}
