/** `value × num ÷ den + add` is the value in the indicator's own unit; all exact decimals as texts. */
interface Conversion {
  unit: string;
  num: string;
  den: string;
  add?: string;
}

interface ReferenceBand {
  low: string | null;
  high: string | null;
}

export interface IndicatorDefinition {
  code: string;
  name: string;
  unit: string;
  /** Code of the follow-up variable that reads it. */
  fact: string | null;
  conversions: readonly Conversion[];
  /** Reference range of a healthy adult; by gender where it differs. */
  reference: ReferenceBand & { male?: ReferenceBand; female?: ReferenceBand; child?: ReferenceBand };
  /** Outside of it somebody must act at once. */
  critical: ReferenceBand;
}

const band = (low: string | null, high: string | null): ReferenceBand => ({ low, high });
const none = band(null, null);
const define = (
  code: string,
  name: string,
  unit: string,
  fact: string | null,
  reference: IndicatorDefinition['reference'],
  critical: ReferenceBand = none,
  conversions: readonly Conversion[] = [],
): IndicatorDefinition => ({ code, name, unit, fact, reference, critical, conversions });

/** The measured values that the product understands (R4). */
export const indicators: readonly IndicatorDefinition[] = [
  define('HBA1C', '糖化血红蛋白', '%', 'patient.hba1c', band('4', '6'), band(null, '15'), [
    { unit: 'mmol/mol', num: '1000', den: '10929', add: '2.15' },
  ]),
  define('FPG', '空腹血糖', 'mmol/L', 'patient.fastingGlucose', band('3.9', '6.1'), band('2.8', '22.2'), [
    { unit: 'mg/dL', num: '1000', den: '18016' },
  ]),
  define('SBP', '收缩压', 'mmHg', 'patient.systolic', band('90', '139'), band('70', '180'), [{ unit: 'kPa', num: '75006', den: '10000' }]),
  define('DBP', '舒张压', 'mmHg', 'patient.diastolic', band('60', '89'), band('40', '120'), [{ unit: 'kPa', num: '75006', den: '10000' }]),
  define('LDLC', '低密度脂蛋白胆固醇', 'mmol/L', 'patient.ldl', band(null, '3.4'), none, [{ unit: 'mg/dL', num: '100', den: '3867' }]),
  define(
    'CREA',
    '肌酐',
    'μmol/L',
    'patient.creatinine',
    { ...band('41', '111'), male: band('57', '111'), female: band('41', '81') },
    band(null, '707'),
    [{ unit: 'mg/dL', num: '884', den: '10' }],
  ),
  define('PSA', '前列腺特异性抗原', 'ng/mL', 'patient.psa', band(null, '4'), none, [{ unit: 'μg/L', num: '1', den: '1' }]),
  define('CEA', '癌胚抗原', 'ng/mL', 'patient.cea', band(null, '5'), none, [{ unit: 'μg/L', num: '1', den: '1' }]),
  define('WBC', '白细胞', '10^9/L', null, { ...band('3.5', '9.5'), child: band('5', '12') }, band('1.5', '30')),
  define('PLT', '血小板', '10^9/L', null, band('125', '350'), band('30', '1000')),
  define(
    'HGB',
    '血红蛋白',
    'g/L',
    null,
    { ...band('115', '175'), male: band('130', '175'), female: band('115', '150') },
    band('60', '220'),
    [{ unit: 'g/dL', num: '10', den: '1' }],
  ),
  define(
    'ALT',
    '丙氨酸氨基转移酶',
    'U/L',
    null,
    { ...band('7', '50'), male: band('9', '50'), female: band('7', '40') },
    band(null, '1000'),
  ),
  define('AST', '天门冬氨酸氨基转移酶', 'U/L', null, band('13', '40'), band(null, '1000')),
  define('K', '血钾', 'mmol/L', null, band('3.5', '5.3'), band('2.8', '6.2')),
  define('UA', '尿酸', 'μmol/L', null, { ...band('155', '428'), male: band('208', '428'), female: band('155', '357') }, none, [
    { unit: 'mg/dL', num: '5948', den: '100' },
  ]),
  define('BMI', '体质指数', 'kg/m²', 'patient.bmi', band('18.5', '23.9')),
];

const byCode = new Map(indicators.map((definition) => [definition.code, definition]));
export const indicatorOf = (code: string): IndicatorDefinition | undefined => byCode.get(code);

/** Units in which an indicator may be entered; its own first. */
export const unitsOf = (definition: IndicatorDefinition): string[] => [definition.unit, ...definition.conversions.map(({ unit }) => unit)];

const ADULT = 18;
/** The dictionary's range for somebody. @param age null when unknown: an adult's */
export function referenceFor(definition: IndicatorDefinition, gender: number, age: number | null): ReferenceBand {
  const { reference } = definition;
  if (age !== null && age < ADULT && reference.child) return reference.child;
  return (gender === 1 ? reference.male : gender === 2 ? reference.female : undefined) ?? band(reference.low, reference.high);
}
