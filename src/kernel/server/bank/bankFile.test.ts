import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bankTemplates } from '../../contract/bank.ts';
import { bankFile, readBankFile } from './bankFile.ts';
import { gb18030 } from './gb18030.ts';
import type { BankPayout } from './port.ts';

const read = (bytes: Buffer) => new TextDecoder('gb18030', { fatal: true }).decode(bytes);
const payout = (lineNo: number, wish: Partial<BankPayout> = {}): BankPayout => ({
  ref: `FK20261101000001-${lineNo}`,
  amountFen: 256_000 + lineNo,
  payeeName: '李文博',
  account: '6222020200112233',
  bankName: '招商银行上海分行',
  bankPlace: '上海',
  cnapsCode: '308290003020',
  purpose: '医生服务费2026-10',
  ...wish,
});

describe('GB18030', () => {
  it.each([
    ['ASCII', 'A,1\r\n'],
    ['common signs', '康桥，医生服务费（元）'],
    ['signs of four bytes', '㑇𠮷䶮'],
    ['a blank of full width and the dot of names', '　阿依古丽·买买提'],
  ])('has %s', (_, text) => expect(read(gb18030(text))).toBe(text));

  it('has the bytes that the standard says', () => {
    expect(gb18030('中€').toString('hex')).toBe('d6d0a2e3');
    expect(gb18030('𠀀').toString('hex')).toBe('95328236');
  });

  it('has every sign that somebody may be called by', () => {
    const sign = fc.integer({ min: 1, max: 0x2ffff }).filter((point) => !(point >= 0xd800 && point <= 0xf8ff));
    const text = fc.array(sign, { maxLength: 30 }).map((points) => String.fromCodePoint(...points));
    fc.assert(fc.property(text, (one) => read(gb18030(one)) === one));
  });

  it('refuses half a sign instead of writing another one', () => expect(() => gb18030('\ud842')).toThrow('U+D842'));
});

describe('a bank file', () => {
  it.each<[string, Partial<BankPayout>[]]>([
    ['a sum of nothing', [{ amountFen: 0 }]],
    ['a part of a fen', [{ amountFen: 1.5 }]],
    ['a reference twice', [{ ref: 'A' }, { ref: 'A' }]],
    ['no reference', [{ ref: '' }]],
  ])('refuses %s', (_, wishes) => {
    for (const template of bankTemplates.codes)
      expect(() =>
        bankFile(
          template,
          wishes.map((wish, at) => payout(at, wish)),
        ),
      ).toThrow();
  });

  it('is the generic one with a line of totals', () => {
    const { bytes, count, totalFen } = bankFile('GENERIC_CSV', [payout(1), payout(2, { payeeName: '王,"明"', cnapsCode: '' })]);
    expect(read(bytes).split('\r\n')).toEqual([
      '序号,业务参考号,收款户名,收款账号,联行号,开户行,金额(元),附言',
      '1,FK20261101000001-1,李文博,6222020200112233,308290003020,招商银行上海分行,2560.01,医生服务费2026-10',
      '2,FK20261101000001-2,"王,""明""",6222020200112233,,招商银行上海分行,2560.02,医生服务费2026-10',
      '合计,2,5120.03',
      '',
    ]);
    expect([count, totalFen]).toEqual([2, 512_003]);
  });

  it('is the agency one of 招商银行, with our reference as its note', () => {
    const { bytes } = bankFile('CMB_AGENCY', [payout(1)]);
    expect(read(bytes)).toBe(
      '账号,户名,金额,开户行,开户地,注释\r\n6222020200112233,李文博,2560.01,招商银行上海分行,上海,FK20261101000001-1\r\n',
    );
  });

  it('holds two equal payments of one person, keeps each in its line, and is the same bytes when it is made again', () => {
    const twice = [payout(1, { amountFen: 500 }), payout(2, { amountFen: 500, payeeName: '李文博\r\n合计' })];
    for (const template of bankTemplates.codes) {
      const file = bankFile(template, twice);
      expect(readBankFile(template, file.bytes)).toEqual(twice.map(({ ref, amountFen }) => ({ ref, amountFen })));
      expect(bankFile(template, twice).sha256).toBe(file.sha256);
    }
  });

  it('is not read as another one', () => {
    expect(() => readBankFile('CMB_AGENCY', bankFile('GENERIC_CSV', [payout(1)]).bytes)).toThrow('no bank file');
  });
});
