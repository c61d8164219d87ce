import { declareErrors } from '../../../kernel/contract/errors.ts';

export const corpusErrors = declareErrors({
  NONE_CHOSEN: ['SCM11001', '请选择病种！'],
  ALREADY_IN_CORPUS: ['SCM11002', '该病种已在语料库中'],
  DISEASE_RUNNING: ['SCM11003', '该病种下有{n}个场景正在运行，请先下线场景'],
  TAG_MISSING: ['SCM11004', '请选择标签'],
  NAME_MISSING: ['SCM11005', '请输入场景名称'],
  NAME_TOO_LONG: ['SCM11006', '场景名称最多32个字符'],
  NAME_TAKEN: ['SCM11007', '同一病种下已有同名场景'],
  SCENE_RUNNING: ['SCM11008', '场景正在运行（进行中{n}人），请先下线后再删除'],
  ICD10_UNKNOWN: ['SCM11009', '该ICD-10前缀不存在'],
  INCOMPLETE: ['SCM11010', '请输入全部内容'],
  RANGE_FORMAT: ['SCM11011', '请输入正确的格式:数字+英文逗号+数字'],
  DECIMALS: ['SCM11012', '小数点后面最多三位小数'],
  RANGE_ORDER: ['SCM11013', '区间左值不能大于右值'],
  VARIABLE_ROLE: ['SCM11014', '变量与角色不匹配'],
  OPERATOR: ['SCM11015', '该变量不支持此运算符'],
  SLOT: ['SCM11060', '发送时间须在08:30至18:30之间，且为整点或半点'],
  DAY_OFFSET: ['SCM11061', '天数须为0至365的整数'],
  SLOT_TAKEN: ['SCM11062', '同一天同一时间已有日程'],
});
