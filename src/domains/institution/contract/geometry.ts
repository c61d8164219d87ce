/** Points are GCJ-02 in integer micro-degrees. */
export interface Point {
  lngE6: number;
  latE6: number;
}

/** Bounding boxes in hundredths of a degree: west, south, east, north. Provinces by two digits, cities by four. */
const boxes: Readonly<Record<string, readonly [number, number, number, number]>> = {
  11: [11542, 3944, 11750, 4106],
  12: [11670, 3855, 11806, 4025],
  13: [11345, 3605, 11985, 4262],
  14: [11023, 3458, 11456, 4074],
  15: [9717, 3740, 12607, 5333],
  21: [11884, 3872, 12578, 4343],
  22: [12164, 4087, 13131, 4630],
  23: [12118, 4342, 13508, 5356],
  31: [12086, 3067, 12212, 3188],
  32: [11636, 3075, 12196, 3512],
  33: [11803, 2703, 12300, 3119],
  34: [11488, 2939, 11965, 3465],
  35: [11584, 2350, 12072, 2833],
  36: [11357, 2448, 11848, 3008],
  37: [11480, 3438, 12272, 3840],
  41: [11035, 3138, 11665, 3637],
  42: [10836, 2903, 11613, 3328],
  43: [10878, 2463, 11425, 3013],
  44: [10965, 2020, 11732, 2552],
  45: [10445, 2090, 11207, 2640],
  46: [10860, 330, 11790, 2020],
  50: [10528, 2816, 11020, 3221],
  51: [9734, 2604, 10855, 3432],
  52: [10360, 2462, 10958, 2923],
  53: [9752, 2113, 10620, 2925],
  54: [7839, 2685, 9912, 3649],
  61: [10549, 3170, 11125, 3959],
  62: [9233, 3259, 10872, 4280],
  63: [8940, 3160, 10307, 3921],
  64: [10428, 3524, 10765, 3938],
  65: [7350, 3433, 9639, 4918],
  71: [11820, 2075, 12456, 2593],
  81: [11383, 2214, 11444, 2257],
  82: [11352, 2210, 11363, 2222],
  3301: [11835, 2919, 12072, 3057],
  3302: [12090, 2885, 12223, 3044],
  3303: [11962, 2706, 12128, 2861],
  3304: [12030, 3035, 12128, 3103],
  3201: [11837, 3124, 11924, 3262],
  3205: [11992, 3076, 12135, 3203],
  3202: [11952, 3111, 12060, 3199],
  4401: [11295, 2256, 11406, 2394],
  4403: [11375, 2240, 11464, 2287],
  4419: [11352, 2265, 11426, 2315],
  4406: [11238, 2265, 11340, 2358],
  5101: [10298, 3009, 10490, 3145],
  4201: [11370, 2997, 11508, 3137],
  4301: [11184, 2785, 11426, 2867],
  6101: [10765, 3342, 10982, 3474],
  3701: [11621, 3601, 11793, 3755],
  3702: [11951, 3558, 12101, 3715],
  4101: [11270, 3426, 11423, 3500],
  3401: [11668, 3095, 11799, 3264],
  3501: [11808, 2523, 12050, 2664],
  3502: [11788, 2437, 11843, 2489],
  2101: [12242, 4119, 12381, 4306],
  2102: [12097, 3872, 12354, 4012],
};
/** 0.2°: boxes are coarse, and branches stand at borders. */
const MARGIN_E6 = 200_000;

/** The smallest known box around a region: its city's, else its province's; null for an unknown province. */
export function boxOf(adcode: string): { west: number; south: number; east: number; north: number } | null {
  const box = boxes[adcode.slice(0, 4)] ?? boxes[adcode.slice(0, 2)];
  if (!box) return null;
  const [west, south, east, north] = box.map((hundredths) => hundredths * 10_000) as [number, number, number, number];
  return { west, south, east, north };
}

/** Whether a point may belong to a region. Regions without a known box take any point in China's. */
export function insideRegion(adcode: string, { lngE6, latE6 }: Point): boolean {
  const box = boxOf(adcode) ?? { west: 73_000_000, south: 3_000_000, east: 136_000_000, north: 54_000_000 };
  return lngE6 >= box.west - MARGIN_E6 && lngE6 <= box.east + MARGIN_E6 && latE6 >= box.south - MARGIN_E6 && latE6 <= box.north + MARGIN_E6;
}

export const EARTH_RADIUS_M = 6_371_000;
const radians = (e6: number) => (e6 / 1e6) * (Math.PI / 180);

/** Great-circle distance in whole metres (haversine). */
export function distanceM(a: Point, b: Point): number {
  const dLat = radians(b.latE6 - a.latE6);
  const dLng = radians(b.lngE6 - a.lngE6);
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.latE6)) * Math.cos(radians(b.latE6)) * Math.sin(dLng / 2) ** 2;
  return Math.round(2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** A box that holds every point within `radiusM`, for the index; the exact distance decides after it. */
export function boxAround({ lngE6, latE6 }: Point, radiusM: number) {
  const dLat = Math.ceil((radiusM / EARTH_RADIUS_M) * (180 / Math.PI) * 1e6) + 1;
  const narrow = Math.max(0.01, Math.cos(radians(Math.min(89e6, Math.abs(latE6) + dLat))));
  const dLng = Math.ceil(dLat / narrow) + 1;
  return { west: lngE6 - dLng, east: lngE6 + dLng, south: latE6 - dLat, north: latE6 + dLat };
}
