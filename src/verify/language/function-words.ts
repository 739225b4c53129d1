/** The words that a language cannot do without, most frequent ones, by the detector's name of the language. */
const FREQUENT: Readonly<Record<string, string>> = {
  en: "the of and to in is was for that with as his he be by on not had at from which but this are have or an they one were all she there would their we him been has when who will more no if out so said what its about into than them can only other time new some could these two may then do first any my now such like our over even most your you it i me her how where why just because don t s a am did does us those here upon very should must each every under man men son den dig war arm pan fin fast hat bin die dies pour come comes far per sin ten hen ben sang want van also",
  es: "de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos e esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho nada muchos cual poco ella estar estas algo nosotros mi mis tú te ti tu tus ellas es está están estaba fue ser ha he hace hacer tiene tengo puede siempre así entonces después aquí allí ahora luego era son si mas tan cada solo sea dos mientras ante sin vos os cuál hacia según derecho persona",
  pt: "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem suas meu às minha têm numa pelos elas havia seja qual será nós tenho lhe deles essas esses pelas este fosse dele tu te vocês vos lhes meus minhas teu tua nosso nossa dela delas esta estes estas aquele aquela isto aquilo estou estamos estava ainda onde então agora aqui ali sempre assim porque sobre fazer faz pode algo nada todo todos toda contra cada casa sala para cima desde ante uno pro fora le la",
  fr: "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec mais ou son lui nous comme vous tout sa elle je leur ont aussi ses cette y fait été être très sans même ces deux entre où était peut ils si bien dont encore on moi toi mon ma mes ton ta tes notre votre nos vos quand alors ainsi donc puis avoir faire rien toujours jamais après avant chez quel quelle aux n c d l qu j m s t es as ai me te non sous dit lu or car main plus tu droit personne toute tous doit ni à jour sera",
  de: "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass daß sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei hatte kann gegen vom können schon wenn habe seine ihre dann unter wir soll ich eines zwei diese dieser wieder keine seiner worden will zwischen immer was ihr mir mich dich dir uns du bin bist hier dort jetzt weil doch sehr ja nein etwas alles gibt jeder hat darf ob da wo men men mal nun mein dein sag rot her hin wer jeden ihrer ihren",
  it: "di che è e la il un a per in una mi sono ho non ma lo ha le si ti i con cosa se io come da ci no questo qui hai sei del bene tu sì me più al mio c perché lei solo te era gli tutto della così mia ne questa fare quando ora fatto essere so mai chi o alla tutti molto dei anche detto quello va niente grazie lui voglio abbiamo stato nel suo dove posso oh prima allora siamo poi uno po dal dalla nella degli delle alle sul sulla loro noi voi ancora sempre dopo ogni quella questi l d dell all nell ad ed od su tra fra sua suoi sue nessun individuo diritto ne sta fu tra tre alto",
  nl: "de van een het en in is dat op te zijn met voor niet die aan er om ook als maar bij of uit nog naar dan heeft ik je hij was worden door over wordt deze hebben ze zich tot we wel geen kan meer al had zo hun wat moet dit men werd zal mijn jij jouw wij ons onze hem haar heb hebt bent ben waar hier daar nu omdat want toen altijd nooit veel iets niets alles andere zou kunnen gaan zij hoe hoe ieder heeft recht u ja nee me ga na af der des den ten ter per los man war hand arm kom in on sur",
  sv: "och i att det som en på är av för med den till inte har de ett om var jag så men från vi kan när han nu eller också man där efter vid hade under sin ut upp in ska vara skulle då bara här mot över blir hon sig bli vad än mycket varit hur mig dig din min oss dem någon något alla denna detta dessa utan mellan genom kommer måste själv ingen igen kunde ja nej mer andra sedan skall envar rätt ej blev sina hans deras ni vill er se an dag man dit",
  da: "og i at det er en til på som af for med de den ikke der var et han har om jeg men sig fra vi så kan hun ud eller vil ved nu også da blev over efter op når have skal dig mig min din blive kun hvad hvor ind end mod noget meget alle være nogle hvis havde dem bliver sin hans hendes deres os jer ingen andre sådan mellem gennem under uden selv måtte skulle kunne ville her nej ja enhver ret man du se igen dit mit vor så bare hver dag de sine dette denne",
  no: "og i det er på som en av for til at med har de ikke den om et var jeg men seg fra vi så kan han hun ut eller vil ved nå også da ble over etter opp når ha skal deg meg min din bli bare hva hvor inn enn mot noe mye alle være noen hvis hadde dem blir sin hans hennes deres oss ingen andre slik mellom gjennom under uten selv måtte skulle kunne ville her nei ja enhver rett du se igjen ditt mitt hver dag sine dette denne man",
  pl: "i w na z do że się nie o to jest jak po za od co ale jego przez dla tak już czy jako lub być tym tego był ich przy ze było może tylko która który które są bardzo jej oraz ma ten ta te go mu jeszcze kiedy gdy gdzie bo więc sobie mnie ciebie ty ja on ona my wy oni ani pod nad przed między bez także również nic coś tam tu teraz potem zawsze wszystko wszyscy jeśli aby żeby a u we mi ci by pan prawo każdy człowiek tej tych lecz albo niż",
  cs: "a se v na je že s z o do to i ve k za by si pro jako po ale tak od jsem jsou jeho který která které při byl bylo být už nebo také jen ještě když jak co ne až není kde této jeho její jejich mezi přes bez pod před nad ani mě mi ti tě ty já on ona my vy oni bude může musí všechno nic něco tady tam teď pak vždy proto protože aby kdyby než ze každý má právo nikdo svůj tu u ten ta li tím jej podle",
  sk: "a sa v na je že s z o do to i vo k za by si pre ako po ale tak od som sú jeho ktorý ktorá ktoré pri bol bolo byť už alebo aj len ešte keď čo nie až kde tejto jej ich medzi cez bez pod pred nad ani ma mi ti ťa ty ja on ona my vy oni bude môže musí všetko nič niečo tu tam teraz potom vždy preto pretože aby keby než zo každý má právo nikto svoj ten ta tým podľa u ku",
  tr: "ve bir bu da de için ile çok olarak daha gibi olan ne kadar ama en var sonra her ya mi o ben sen biz siz onlar şey değil diye veya ki hiç bana sana ona bunu onu beni seni zaman yok nasıl neden çünkü olduğu oldu olur içinde üzerinde göre kendi bütün şimdi burada orada hem ise mı mu mü herkes hakkı on at el ten son ara al a bin",
  ms: "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena tersebut bisa ada mereka lebih telah sudah atau saat oleh dapat orang kami kita aku kamu dia adalah seperti secara bagi lagi bahwa hanya masih tetapi tapi jika harus sebagai antara hari setelah sebelum ketika sangat apa siapa mana bagaimana kerana boleh daripada anda hak setiap tak nya lain bila mau ya dua at dia sana sama kata raja",
  tl: "ang ng sa na mga ay at ko ka mo siya ito niya para hindi kung may ako si nang isang kaya pero din rin lang ba nila sila kami tayo ni kay ano ngayon noong kapag dahil wala mayroon po ako akin iyong kanyang aming ating doon dito iyon naman pa upang bawat lahat o kita natin namin nito niyo mag okay kay sang bang ate anak",
  vi: "và của là có được cho không trong một những người các với này đã để khi đến về từ như cũng ra nhưng thì vào sẽ nhiều tôi anh em bạn nó họ ở trên phải hay đó lại làm nên còn sau rất mà đi chúng ta gì nào mình theo bao cao con ba na ca la cha do hai",
  ro: "și şi de în la cu o că nu a pe se un din care este mai pentru sunt ce au fi sau dar prin lui fost acest această am ai el ea noi voi ei ele își îi le lor său sa când unde cum foarte tot toate fără după până între către dacă nici ar va acum aici atunci orice are dreptul i e al ale mă te lo s un una in no",
  hu: "a az és hogy nem is egy ez de volt csak már meg ha mint el még van ki vagy mert aki lehet minden azt ezt én te ő mi ti ők nagyon most itt ott úgy így után alatt között sem pedig amely ami joga e ne be le fel se ide no",
  fi: "ja on ei se että oli hän olla mutta ovat kun niin myös mitä tai sen joka jos kuin vain nyt minä sinä me te he tämä tuo siitä ole vielä kaikki sitten hänen minun olen voi ollut mukaan jo hyvin sekä jotka oikeus on sin jokaisella älä ne en",
  hi: "है हैं के में और को का की से पर कि यह वह नहीं भी एक था थी थे हो कर लिए ने तो हम मैं उस इस जो या अपने कोई किया गया साथ मुझे तुम आप हुआ रहा रही रहे जाता करने लिये प्रत्येक व्यक्ति अधिकार होगा जाएगा",
  mr: "आहे आहेत आणि च्या व या हे हा ही ते तो ती मध्ये नाही पण एक होते होता होती मी तू तुम्ही आम्ही त्या त्याला त्याच्या सर्व कोणत्याही किंवा करण्याचा असे असेल हक्क प्रत्येकास त्यांच्या केले झाले करून म्हणून मला तुला काही नये",
};

const WORD = /[\p{L}\p{M}]+/gu;
const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(FREQUENT).map(([language, words]) => [language, new Set(words.split(" "))]),
);

export interface WordEvidence {
  /** The language whose words those are. */
  readonly language: string;
  /** Words that only that language has, of the two. */
  readonly foreign: number;
  /** Their share of all words that only one of the two has. */
  readonly share: number;
}

/**
 * Function words of another language in a text that should be of `expected`, for each language that has
 * any, most first. Words that both have say nothing.
 */
export function foreignWords(text: string, expected: string): readonly WordEvidence[] {
  const own = WORDS.get(expected);
  if (own === undefined) return [];
  const words = text.toLowerCase().match(WORD) ?? [];
  return [...WORDS]
    .filter(([language]) => language !== expected)
    .map(([language, theirs]) => {
      const foreign = words.filter((word) => theirs.has(word) && !own.has(word)).length;
      const native = words.filter((word) => own.has(word) && !theirs.has(word)).length;
      return { language, foreign, share: foreign === 0 ? 0 : foreign / (foreign + native) };
    })
    .filter(({ foreign }) => foreign > 0)
    .toSorted((a, b) => b.foreign - a.foreign);
}
