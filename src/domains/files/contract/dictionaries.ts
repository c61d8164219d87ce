import { dictionary } from '#kernel/contract/dictionary.ts';

export const fileSources = dictionary('fileSource', {
  UPLOAD: '上传',
  EXPORT: '导出',
  IMPORT_RESULT: '导入结果',
  SYSTEM: '系统生成',
  PUSH: '外部推送',
});

export const scanStates = dictionary('fileScanState', {
  NONE: '未启用',
  CLEAN: { label: '安全', tone: 'success' },
  INFECTED: { label: '有风险', tone: 'error' },
});

export const exportFormats = dictionary('exportFormat', { XLSX: 'Excel', CSV: 'CSV', PDF: 'PDF', ZIP: 'ZIP' });

export const importModes = dictionary('importMode', { ALL_OR_NOTHING: '全部成功才写入', VALID_ONLY: '仅写入正确行' });

export const importRowActions = dictionary('importRowAction', {
  NEW: { label: '新增', tone: 'success' },
  CHANGE: { label: '变更', tone: 'processing' },
  SAME: '无变化',
  ERROR: { label: '错误', tone: 'error' },
});

export const faultSeverities = dictionary('importFaultSeverity', {
  ERROR: { label: '错误', tone: 'error' },
  WARN: { label: '警告', tone: 'warning' },
});

export const fileDictionaries = [fileSources, scanStates, exportFormats, importModes, importRowActions, faultSeverities];
