import { expect, it } from 'vitest';
import { delayOf, doctorReply, patientReply, personaOf } from './script.ts';

const persona = personaOf('100000');

it.each([
  ['请问有药物过敏吗？', persona.allergy],
  ['这种情况多久了', persona.since],
  ['平时吃什么药', persona.medicines],
  ['做过检查吗', '报告在家里，我晚点拍照上传，可以吗？'],
  ['祝您早日康复', '好的，谢谢您'],
])('to “%s” a patient says “%s”', (said, answer) => expect(patientReply(persona, said, 3)).toBe(answer));

it('the same patient is always the same, and never without an answer', () => {
  expect(personaOf('100000')).toBe(personaOf('100000'));
  for (let turn = 0; turn < 20; turn += 1) {
    expect(patientReply(persona, '嗯', turn)).not.toBe('');
    expect(doctorReply('嗯', turn)).not.toBe('');
  }
});

it('answers after 3 to 20 seconds', () => {
  for (let seq = 1; seq < 500; seq += 1) {
    const delay = delayOf('123456789', seq);
    expect(delay).toBeGreaterThanOrEqual(3_000);
    expect(delay).toBeLessThanOrEqual(20_000);
  }
});
