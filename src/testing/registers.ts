import { channelFieldKeys } from '#domains/channel/contract/calls/channels.ts';
import { directFacts } from '#domains/doctor/contract/qualFields.ts';
import { hospitalFactKeys } from '#domains/institution/contract/hospitalCalls.ts';
import { medicineFieldKeys } from '#domains/pharma/contract/rules/medicineFields.ts';

// What a record is entered with is declared once; differences, detail, merge, log and refusals follow. What is written besides stands
// here: in these files a field is named, or it is named among what they go without, so that none is forgotten.

export interface Place {
  /** Below `src/domains`. */
  file: string;
  /** The declaration in the file that names the fields; from a beginning with a blank on, all that follows. */
  within: string;
  /** Fields that this place goes without or shows under another name, on purpose. */
  without: readonly string[];
}

/** By the record, in the order in which a new field is written after its migration and its contract. */
export const registers: Readonly<Record<string, { fields: readonly string[]; places: Readonly<Record<string, Place>> }>> = {
  hospital: {
    fields: hospitalFactKeys,
    places: {
      form: {
        file: 'institution/web/maintenance/HospitalForm.tsx',
        within: 'function Fields(',
        // Together with the map.
        without: ['adcode', 'address', 'lngE6', 'latE6'],
      },
      list: {
        file: 'institution/web/hospitals/columns.tsx',
        within: '\nconst name:',
        without: [
          'shortName',
          'adcode',
          'lngE6',
          'latE6',
          'licenceNo',
          'licenceValidTo',
          'nhsaCode',
          'website',
          'introduction',
          'parentId',
          'campusName',
          'logoFileId',
        ],
      },
      export: {
        file: 'institution/server/hospitals/list.ts',
        within: 'export const hospitalExport',
        without: [
          'shortName',
          'adcode',
          'lngE6',
          'latE6',
          'licenceValidTo',
          'website',
          'introduction',
          'parentId',
          'campusName',
          'logoFileId',
        ],
      },
      import: {
        file: 'institution/server/transfer/hospitalRows.ts',
        within: 'export const hospitalColumns',
        without: [
          'shortName',
          'adcode',
          'lngE6',
          'latE6',
          'licenceValidTo',
          'website',
          'introduction',
          'parentId',
          'campusName',
          'logoFileId',
        ],
      },
    },
  },
  medicine: {
    fields: medicineFieldKeys,
    places: {
      form: { file: 'pharma/web/medicines/MedicineForm.tsx', within: 'const body =', without: ['brandPinyin'] },
      list: {
        file: 'pharma/web/medicines/medicineList.tsx',
        within: '  columns: [',
        without: [
          'medicineKind',
          'brandName',
          'englishName',
          'genericPinyin',
          'brandPinyin',
          'dosageForm',
          'baseCode',
          'nhsaCode',
          'holderId',
          'makerId',
          'importerId',
          'categoryId',
          'atcCode',
          'indications',
          'usageText',
          'defaultDose',
          'contraindication',
          'adverseReaction',
          'labelFileId',
          'imageFileIds',
          'storage',
          'lightproof',
          'controlClass',
          'taxCode',
          'taxRateBp',
          'taxScheme',
          'sort',
        ],
      },
      export: {
        file: 'pharma/server/medicines/list.ts',
        within: 'export const medicineExport',
        without: [
          'englishName',
          'genericPinyin',
          'brandPinyin',
          'baseCode',
          'nhsaCode',
          'holderId',
          'makerId',
          'importerId',
          'categoryId',
          'atcCode',
          'indications',
          'usageText',
          'defaultDose',
          'contraindication',
          'adverseReaction',
          'labelFileId',
          'imageFileIds',
          'storage',
          'lightproof',
          'controlClass',
          'taxCode',
          'taxRateBp',
          'taxScheme',
          'sort',
        ],
      },
      import: {
        file: 'pharma/server/imports/medicineImporter.ts',
        within: 'const columns = ',
        without: [
          'englishName',
          'genericPinyin',
          'brandPinyin',
          'baseCode',
          'nhsaCode',
          'holderId',
          'makerId',
          'importerId',
          'categoryId',
          'atcCode',
          'indications',
          'defaultDose',
          'contraindication',
          'adverseReaction',
          'labelFileId',
          'imageFileIds',
          'lightproof',
          'controlClass',
          'taxCode',
          'taxRateBp',
          'taxScheme',
          'sort',
        ],
      },
    },
  },
  doctor: {
    fields: directFacts,
    places: {
      form: { file: 'doctor/web/doctorManagement/DoctorForm.tsx', within: 'function Fields(', without: [] },
      list: {
        file: 'doctor/web/doctorManagement/doctorList.tsx',
        within: 'const columns',
        // The title stands behind the name.
        without: ['titleCode', 'practiceLevel', 'practiceCategory', 'practiceScope', 'practiceSince'],
      },
      export: {
        file: 'doctor/server/doctors/record/list.ts',
        within: 'export const doctorExport',
        without: ['practiceLevel', 'practiceCategory', 'practiceScope', 'practiceSince'],
      },
      import: { file: 'doctor/server/doctors/entry/importer.ts', within: '  columns: ', without: [] },
    },
  },
  channel: {
    fields: channelFieldKeys,
    places: {
      form: {
        file: 'channel/web/channelManagement/ChannelForm.tsx',
        within: 'export function ChannelForm(',
        without: ['companyId', 'productLineId'],
      },
      list: {
        file: 'channel/web/channelManagement/channelList.tsx',
        within: '  columns: [',
        // Its name stands behind those above it, whom it belongs to and its days in two columns.
        without: [
          'name',
          'ownerId',
          'ownerName',
          'agentId',
          'companyId',
          'productLineId',
          'adcode',
          'startDate',
          'endDate',
          'tags',
          'remark',
          'costNote',
        ],
      },
      export: {
        file: 'channel/server/channels/list.ts',
        within: 'export const channelExport',
        without: ['name', 'ownerId', 'agentId', 'companyId', 'productLineId', 'adcode', 'tags', 'remark', 'costNote'],
      },
      import: {
        file: 'channel/server/channels/importChannels.ts',
        within: 'const columns = ',
        without: ['ownerId', 'agentId', 'companyId', 'productLineId', 'tags', 'costNote'],
      },
    },
  },
};
