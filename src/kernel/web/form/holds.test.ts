import { expect, test } from 'vitest';
import { holdText } from './holds.ts';

test('a form waits for files on their way first, then for what failed', () => {
  expect(holdText([])).toBeNull();
  expect(holdText(['failed'])).toBe('有文件未上传成功，请重试或移除后再提交');
  expect(holdText(['failed', 'sending'])).toBe('文件正在上传，请等上传完成后再提交');
});
