"""Photo albums: places, years, sharing."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Albums; Photos; Gallery",
        "Alben; Fotos; Galerie",
        "Albums; Photos; Galerie",
        "Álbumes; Fotos; Galería",
        "相册; 照片",
    ),
    names=lambda draw, count: draw.some("cities", count),
    group=(
        "Season; Taken in",
        "Jahreszeit; Aufgenommen im",
        "Saison; Pris en",
        "Estación; Tomadas en",
        "季节; 拍摄于",
    ),
    options=(
        "Springtime; Summertime; Autumn; Wintertime",
        "Frühling; Sommer; Herbst; Winter",
        "Printemps; Été; Automne; Hiver",
        "Primavera; Verano; Otoño; Invierno",
        "春天; 夏天; 秋天; 冬天",
    ),
    fact=(
        "Photographer; Pictures by",
        "Fotograf; Bilder von",
        "Photographe; Images de",
        "Fotógrafo; Imágenes de",
        "摄影; 拍摄者",
    ),
    draw_fact=lambda draw: draw.person(),
    do=(
        "Share; Show to family",
        "Teilen; Für Familie freigeben",
        "Partager; Montrer à la famille",
        "Compartir; Mostrar a la familia",
        "分享; 给家人看",
    ),
    states=(
        "private; shared",
        "privat; geteilt",
        "privé; partagé",
        "privado; compartido",
        "私密; 已分享",
    ),
    refusal=(
        "This album belongs to somebody else.",
        "Dieses Album gehört jemand anderem.",
        "Cet album appartient à quelqu’un d’autre.",
        "Este álbum es de otra persona.",
        "此相册属于他人。",
    ),
    amount=(
        "Pictures",
        "Bilder",
        "Images",
        "Imágenes",
        "张数",
    ),
    beside={"/favorites": "s_favorites", "/trash": "s_trash"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)
