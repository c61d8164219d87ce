/** Departments (first level of the catalogue) that a scope of practice covers, by the word that names the scope. */
const COVERED: readonly (readonly [word: string, departments: readonly string[]])[] = [
  ['内科', ['03', '16', '17', '18', '19', '20', '21', '28']],
  ['外科', ['04', '08', '14', '19', '20', '22', '26', '27', '28']],
  ['妇产科', ['05', '06']],
  ['儿科', ['07', '08', '09']],
  ['眼耳鼻咽喉', ['10', '11']],
  ['皮肤', ['13', '14']],
  ['精神', ['15']],
  ['职业病', ['23']],
  ['医学影像', ['32']],
  ['放射治疗', ['19', '32']],
  ['医学检验', ['30', '31']],
  ['病理', ['31']],
  ['全科', ['02', '03', '04', '05', '07', '09']],
  ['急救', ['20', '28']],
  ['康复', ['21', '22']],
  ['预防保健', ['01']],
  ['麻醉', ['26', '27']],
  ['口腔', ['12']],
  ['中西医结合', ['50', '52']],
  ['中医', ['50', '52']],
];

/** Whether a scope of practice covers a standard department; null when the scope names none that is known. */
export function scopeCovers(practiceScope: string, standardDeptCode: string): boolean | null {
  const department = standardDeptCode.slice(0, 2);
  const known = COVERED.filter(([word]) => practiceScope.includes(word));
  if (known.length === 0) return null;
  return known.some(([, departments]) => departments.includes(department));
}
