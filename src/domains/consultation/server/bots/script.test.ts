import { expect, it } from 'vitest';
import { arrivalGapOf, delayOf, doctorReply, patientReply, personaOf, readDelayOf } from './script.ts';

const persona = personaOf('50012', 'C34.901');

it.each([
  ['请问有药物过敏吗？', persona.allergy],
  ['这种情况多久了', persona.since],
  ['平时吃什么药', '现在吃奥希替尼片，每次80mg，一直没有停'],
  ['以前做过手术吗', persona.history],
  ['祝您早日康复', '好的，谢谢您'],
])('to “%s” a patient says “%s”', (said, text) => expect(patientReply(persona, said, 3, false)).toEqual({ text }));

it('shows a report when asked for one, once', () => {
  expect(patientReply(persona, '做过检查吗', 3, false)).toEqual({ text: '这是最近一次的胸部增强CT，您看一下', picture: true });
  expect(patientReply(persona, '做过检查吗', 3, true)).toEqual({ text: persona.course.rounds[3]![0] });
});

it('a doctor answers the question that was asked', () => {
  const [asked, answer] = persona.course.rounds[2]!;
  expect(doctorReply(persona.course, asked, 7)).toBe(answer);
});

it('the same patient is always the same, and never without an answer', () => {
  expect(personaOf('50012', 'C34.901')).toEqual(persona);
  for (let turn = 0; turn < 20; turn += 1) {
    expect(patientReply(persona, '嗯', turn, false).text).not.toBe('');
    expect(doctorReply(persona.course, '嗯', turn)).not.toBe('');
  }
});

it('answers after 3 to 20 seconds, has read after 1 to 5; a patient comes every 3 to 6 minutes', () => {
  for (let seq = 1; seq < 500; seq += 1) {
    for (const [delay, least, most] of [
      [delayOf('123456789', seq), 3_000, 20_000],
      [readDelayOf('123456789', seq), 1_000, 5_000],
      [arrivalGapOf(seq), 180_000, 360_000],
    ] as const) {
      expect(delay).toBeGreaterThanOrEqual(least);
      expect(delay).toBeLessThanOrEqual(most);
    }
  }
});
