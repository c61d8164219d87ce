import { dictionary } from './dictionary.ts';

/** Forms of the file that a bank takes payments in. */
export const bankTemplates = dictionary('bankTemplate', { CMB_AGENCY: '招商银行批量代付', GENERIC_CSV: '通用代付文件' });
export type BankTemplate = (typeof bankTemplates.codes)[number];

/** What a bank says of a payment. */
export const bankResults = dictionary('bankResult', {
  SUCCESS: { label: '成功', tone: 'success' },
  FAILED: { label: '失败', tone: 'error' },
  RETURNED: { label: '退票', tone: 'error' },
  PROCESSING: { label: '处理中', tone: 'processing' },
});
export type BankResult = (typeof bankResults.codes)[number];
