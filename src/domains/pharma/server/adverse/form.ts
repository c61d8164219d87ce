import { PDFDocument } from '@napi-rs/canvas';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';

const A4 = { width: 595, height: 842 };
const MARGIN = 56;
const VALUE_LEFT = 170;

interface AdverseForm {
  reportNo: string;
  medicine: string;
  company: string;
  seriousness: string;
  isNew: boolean;
  description: string;
  occurredOn: string;
  receivedAt: string;
  forwardedAt: string;
  forwardedBy: string;
}

/** The form of a suspected adverse reaction that goes to the holder, one page of A4. */
export async function adverseForm(form: AdverseForm): Promise<Buffer> {
  useChineseFont();
  const pdf = new PDFDocument({ title: `不良反应报告${form.reportNo}`, creator: 'Kangqiao' });
  const page = pdf.beginPage(A4.width, A4.height);
  page.fillStyle = '#1f2933';
  page.font = `20px ${FAMILY}`;
  page.fillText('药品不良反应报告', MARGIN, 80);
  page.font = `11px ${FAMILY}`;
  const rows: [string, string][] = [
    ['报告编号', form.reportNo],
    ['药品', form.medicine],
    ['上市许可持有人', form.company],
    ['严重程度', `${form.seriousness}${form.isNew ? '（新的不良反应）' : ''}`],
    ['发生日期', form.occurredOn],
    ['收到时间', form.receivedAt],
    ['转报时间', form.forwardedAt],
    ['转报人', form.forwardedBy],
    ['描述', form.description],
  ];
  let y = 120;
  for (const [label, value] of rows) {
    page.fillText(label, MARGIN, y);
    let line = '';
    for (const letter of value) {
      if (page.measureText(line + letter).width > A4.width - MARGIN - VALUE_LEFT) {
        page.fillText(line, VALUE_LEFT, y);
        y += 18;
        line = '';
      }
      line += letter;
    }
    page.fillText(line, VALUE_LEFT, y);
    y += 26;
  }
  pdf.endPage();
  return pdf.close();
}
