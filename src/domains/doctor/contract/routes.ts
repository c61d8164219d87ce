import { declareRoutes } from '#kernel/contract/route.ts';

const MENU = '医生运营';
const page = (path: string, title: string, permission: string, kind: 'list' | 'form' = 'list') =>
  ({ path, title, trail: [MENU], kind, menu: MENU, permission }) as const;

/** Pages of doctor; equal to docs/design/routes.csv and menus.md. */
export const doctorRoutes = declareRoutes('doctor', [
  page('/doctorManagement', '医生管理', 'doctor.doctor.view'),
  page('/helpDoctorManage', '医助管理', 'doctor.assistant.view'),
  page('/doctorManagementService', '医生服务管理', 'doctor.opening.view'),
  page('/doctorCard', '医生名片', 'doctor.card.view'),
  page('/doctorService', '服务项目', 'doctor.item.view'),
  page('/serviceConfig', '服务配置', 'doctor.config.view', 'form'),
  page('/payConsultation', '付费咨询', 'doctor.consult.view'),
  page('/doctorPatientChannelManagement', '医患渠道管理', 'doctor.attribution.view'),
  // The switches and their rights are patient's.
  page('/patientRealNameSwitch', '患者实名开关', 'patient.realNameSwitch.view', 'form'),
]);
