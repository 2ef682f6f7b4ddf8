import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

// Named imports in a separate file, so that the bundle omits the unused nine tenths of echarts.
use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

export { init };
