import { declareRoutes } from '../../../kernel/contract/route.ts';
import { doctorPermissions as may } from './permissions.ts';

const MENU = '医生运营';
const page = (path: string, title: string, permission: { code: string }, kind: 'list' | 'form' = 'list') =>
  ({ path, title, trail: [MENU], kind, menu: MENU, permission: permission.code }) as const;

/** Pages of doctor; equal to docs/design/routes.csv and menus.md. */
export const doctorRoutes = declareRoutes('doctor', [
  page('/doctorManagement', '医生管理', may['doctor.view']),
  page('/helpDoctorManage', '医助管理', may['assistant.view']),
  page('/doctorManagementService', '医生服务管理', may['opening.view']),
  page('/doctorCard', '医生名片', may['card.view']),
  page('/doctorService', '服务项目', may['item.view']),
  page('/serviceConfig', '服务配置', may['config.view'], 'form'),
  page('/payConsultation', '付费咨询', may['consult.view']),
  page('/doctorPatientChannelManagement', '医患渠道管理', may['attribution.view']),
  // The switches and their rights are patient's.
  page('/patientRealNameSwitch', '患者实名开关', { code: 'patient.realNameSwitch.view' }, 'form'),
]);
