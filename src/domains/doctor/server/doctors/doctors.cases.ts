import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { exportCertExpireList, queryCertExpireList, remindCert } from '../../contract/calls/certs.ts';
import {
  addDoctorInfo,
  cancelDoctor,
  changeAcceptState,
  exportDoctorList,
  freezeDoctor,
  importDoctor,
  modifyDoctorInfo,
  queryDoctorCounts,
  queryDoctorDetail,
  queryDoctorInfoByOperatorId,
  queryDoctorList,
  querySelectOptions,
  revealDoctorField,
  unfreezeDoctor,
} from '../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { approved, certsOf, facts, freshPerson, makeHospital, NONE } from '../testing/qual.ts';
import { doctorTable, makeDoctor, recordOf } from '../testing/doctors.ts';

const page = { pageNo: 1, pageSize: 10 };
const held = async (app: TestApp) => {
  const { doctorId } = await makeDoctor(app);
  return { doctorId, version: (await recordOf(app, doctorId)).version };
};
const stateInput = { doctorId: NONE, version: 1, opinion: '资料待核实' };
const frozen = async (app: TestApp) => {
  const doctor = await held(app);
  const as = await app.staff({ permissions: [may['doctor.freeze'].code] });
  const { version } = await app.ok(freezeDoctor, { ...doctor, opinion: '投诉待核实' }, { as });
  return { doctorId: doctor.doctorId, version };
};
const plain = { specialty: '高血压的长期管理', intro: '', diseaseIds: [], avatarFileId: null };

/** One valid input and one foreign record per call of doctors and their certificates. */
export const doctorCases: readonly CallCase[] = [
  callCase(queryDoctorList, async () => page),
  callCase(queryDoctorCounts, async () => ({})),
  callCase(queryDoctorDetail, async (app) => ({ doctorId: (await makeDoctor(app)).doctorId }), {
    foreign: async () => ({ doctorId: NONE }),
  }),
  callCase(queryDoctorInfoByOperatorId, async (app) => ({ operatorId: (await makeDoctor(app)).operatorId }), {
    as: { permissions: [may['doctor.view'].code] },
    foreign: async () => ({ operatorId: NONE }),
  }),
  callCase(querySelectOptions, async () => ({ type: 'DOCTOR' as const })),
  callCase(addDoctorInfo, async (app, as) => {
    const person = freshPerson();
    const hospital = await makeHospital(app);
    return {
      ...plain,
      ...facts,
      name: person.name,
      mobile: person.mobile,
      idNo: person.idNo,
      hospitalId: hospital.hospitalId,
      hospitalApplyId: null,
      departmentId: hospital.departmentId,
      certs: await certsOf(app, as!.userId, person, hospital.name),
    };
  }),
  callCase(
    modifyDoctorInfo,
    async (app) => {
      const { doctorId, person, hospital } = await approved(app);
      return {
        doctorId,
        version: (await recordOf(app, doctorId)).version,
        ...plain,
        ...facts,
        name: person.name,
        hospitalId: hospital.hospitalId,
        hospitalApplyId: null,
        departmentId: hospital.departmentId,
        certs: [],
      };
    },
    {
      foreign: async () => ({
        doctorId: NONE,
        version: 1,
        ...plain,
        ...facts,
        name: '李文博',
        hospitalId: '1',
        hospitalApplyId: null,
        departmentId: null,
        certs: [],
      }),
    },
  ),
  callCase(freezeDoctor, async (app) => ({ ...(await held(app)), opinion: '投诉待核实' }), { foreign: async () => stateInput }),
  callCase(unfreezeDoctor, async (app) => ({ ...(await frozen(app)), opinion: '已核实' }), { foreign: async () => stateInput }),
  callCase(cancelDoctor, async (app) => ({ ...(await held(app)), opinion: '本人申请' }), { foreign: async () => stateInput }),
  callCase(changeAcceptState, async (app) => ({ ...(await held(app)), acceptState: 'OFF' as const, opinion: '外出学习' }), {
    foreign: async () => ({ doctorId: NONE, version: 1, acceptState: 'OFF' as const, opinion: '外出学习' }),
  }),
  callCase(
    revealDoctorField,
    async (app) => ({ doctorId: (await makeDoctor(app)).doctorId, field: 'mobile' as const, reason: '联系本人' }),
    { foreign: async () => ({ doctorId: NONE, field: 'mobile' as const }) },
  ),
  callCase(importDoctor, async (app, as) => ({
    fileId: await doctorTable(app, as!, [{ name: '李文博', mobile: freshPerson().mobile, hospital: '杭州市第一人民医院' }]),
  })),
  callCase(exportDoctorList, async (app) => {
    await makeDoctor(app);
    return {};
  }),
  callCase(queryCertExpireList, async () => page),
  callCase(exportCertExpireList, async (app) => {
    const { person } = await approved(app, { certs: { PRACTICE: { validTo: '2026-12-01' } } });
    return { name: person.name, days: 90 };
  }),
  callCase(remindCert, async () => ({ certIds: [NONE] })),
];
