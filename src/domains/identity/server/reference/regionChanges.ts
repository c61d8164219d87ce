/**
 * What stands beside the edition of the regions (`regions.ts`), which is the 国家统计局's of 2023: codes that an earlier edition knew and this
 * one does not, each with what stands there now, and what came after it.
 */

/** Code, name, successor: its district was joined or raised, or its economic zone was numbered anew or dissolved into its city. */
const abolished: readonly (readonly [adcode: string, name: string, successor: string])[] = [
  ['140471', '山西长治高新技术产业园区', '140400'],
  ['231071', '牡丹江经济技术开发区', '231000'],
  ['320571', '苏州工业园区', '320576'],
  ['320772', '连云港高新技术产业开发区', '320700'],
  ['321271', '泰州医药高新技术产业开发区', '321200'],
  ['330103', '下城区', '330105'],
  ['330104', '江干区', '330102'],
  ['330371', '温州经济技术开发区', '330300'],
  ['340171', '合肥高新技术产业开发区', '340176'],
  ['340172', '合肥经济技术开发区', '340177'],
  ['340173', '合肥新站高新技术产业开发区', '340178'],
  ['350402', '梅列区', '350404'],
  ['350403', '三元区', '350404'],
  ['350427', '沙县', '350405'],
  ['350625', '长泰县', '350605'],
  ['350681', '龙海市', '350604'],
  ['370171', '济南高新技术产业开发区', '370176'],
  ['370271', '青岛高新技术产业开发区', '370200'],
  ['370672', '烟台经济技术开发区', '370676'],
  ['371472', '德州运河经济开发区', '371400'],
  ['410306', '吉利区', '410308'],
  ['410322', '孟津县', '410308'],
  ['410381', '偃师市', '410307'],
  ['430271', '云龙示范区', '430200'],
  ['430471', '衡阳综合保税区', '430400'],
  ['430472', '湖南衡阳高新技术产业园区', '430476'],
  ['431121', '祁阳县', '431181'],
  ['450127', '横县', '450181'],
  ['511071', '内江经济开发区', '511000'],
  ['511771', '达州经济开发区', '511700'],
  ['511971', '巴中经济开发区', '511900'],
  ['513425', '会理县', '513402'],
  ['520522', '黔西县', '520581'],
  ['532331', '禄丰县', '532302'],
  ['540422', '米林县', '540481'],
  ['540530', '错那县', '540581'],
  ['610322', '凤翔县', '610305'],
  ['610928', '旬阳县', '610981'],
  ['652871', '库尔勒经济技术开发区', '652800'],
  ['654223', '沙湾县', '654203'],
];
export const abolishedRegions = abolished.map(([adcode, name, successor]) => ({ adcode, name, successor }));

/**
 * Announced by the government of 新疆 on 2024-12-27, both in 和田地区 (653200). They have the next numbers there, until the list of codes
 * says otherwise.
 */
const added: readonly (readonly [adcode: string, name: string])[] = [
  ['653228', '和安县'],
  ['653229', '和康县'],
];
export const addedRegions = added.map(([adcode, name]) => ({ adcode, name }));

/** The statistics leave them out: by GB/T 2260, with their districts as they number them themselves. */
export const otherRegions: readonly { adcode: string; name: string; districts: readonly string[] }[] = [
  { adcode: '710000', name: '台湾省', districts: [] },
  {
    adcode: '810000',
    name: '香港特别行政区',
    districts: [
      '中西区',
      '湾仔区',
      '东区',
      '南区',
      '油尖旺区',
      '深水埗区',
      '九龙城区',
      '黄大仙区',
      '观塘区',
      '荃湾区',
      '屯门区',
      '元朗区',
      '北区',
      '大埔区',
      '西贡区',
      '沙田区',
      '葵青区',
      '离岛区',
    ],
  },
  {
    adcode: '820000',
    name: '澳门特别行政区',
    districts: ['花地玛堂区', '花王堂区', '望德堂区', '大堂区', '风顺堂区', '嘉模堂区', '路凼填海区', '圣方济各堂区'],
  },
];
